package io.github.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

/**
 * Output stream of a response to which the limits add headers before each use, since any
 * use may commit it. It notes uses that fail.
 */
final class LimitedOutputStream extends ServletOutputStream {

	private final ServletOutputStream stream;

	private final LimitedResponse response;

	LimitedOutputStream(ServletOutputStream stream, LimitedResponse response) {
		this.stream = stream;
		this.response = response;
	}

	@Override
	public void write(int data) throws IOException {
		use(() -> this.stream.write(data));
	}

	@Override
	public void write(byte[] data, int offset, int length) throws IOException {
		use(() -> this.stream.write(data, offset, length));
	}

	@Override
	public void print(String text) throws IOException {
		use(() -> this.stream.print(text));
	}

	@Override
	public void flush() throws IOException {
		use(() -> this.stream.flush());
	}

	@Override
	public void close() throws IOException {
		use(() -> this.stream.close());
	}

	@Override
	public boolean isReady() {
		return this.stream.isReady();
	}

	@Override
	public void setWriteListener(WriteListener listener) {
		this.stream.setWriteListener(listener);
	}

	private void use(Use use) throws IOException {
		this.response.writeHeaders();
		try {
			use.run();
		}
		catch (IOException ex) {
			this.response.failWrite(ex);
			throw ex;
		}
	}

	private interface Use {

		void run() throws IOException;

	}

}
