package io.github.ratelimit.web.servlet;

import java.io.IOException;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

/**
 * Output stream of a response that runs an action before each use, since any use may
 * commit the response.
 */
final class LimitedOutputStream extends ServletOutputStream {

	private final ServletOutputStream stream;

	private final Runnable beforeUse;

	LimitedOutputStream(ServletOutputStream stream, Runnable beforeUse) {
		this.stream = stream;
		this.beforeUse = beforeUse;
	}

	@Override
	public void write(int data) throws IOException {
		this.beforeUse.run();
		this.stream.write(data);
	}

	@Override
	public void write(byte[] data, int offset, int length) throws IOException {
		this.beforeUse.run();
		this.stream.write(data, offset, length);
	}

	@Override
	public void print(String text) throws IOException {
		this.beforeUse.run();
		this.stream.print(text);
	}

	@Override
	public void flush() throws IOException {
		this.beforeUse.run();
		this.stream.flush();
	}

	@Override
	public void close() throws IOException {
		this.beforeUse.run();
		this.stream.close();
	}

	@Override
	public boolean isReady() {
		return this.stream.isReady();
	}

	@Override
	public void setWriteListener(WriteListener listener) {
		this.stream.setWriteListener(listener);
	}

}
