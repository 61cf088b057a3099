package io.github.ratelimit.web.servlet;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Writer of a response to which the limits add headers before each use, since any use may
 * commit it. It notes when the response cannot be flushed.
 */
final class LimitedWriter extends PrintWriter {

	private final PrintWriter writer;

	LimitedWriter(PrintWriter writer, LimitedResponse response) {
		super(new BeforeUse(writer, response));
		this.writer = writer;
	}

	@Override
	public boolean checkError() {
		return super.checkError() | this.writer.checkError();
	}

	private static final class BeforeUse extends FilterWriter {

		private final PrintWriter writer;

		private final LimitedResponse response;

		BeforeUse(PrintWriter writer, LimitedResponse response) {
			super(writer);
			this.writer = writer;
			this.response = response;
		}

		@Override
		public void write(int character) throws IOException {
			this.response.writeHeaders();
			super.write(character);
		}

		@Override
		public void write(char[] characters, int offset, int length) throws IOException {
			this.response.writeHeaders();
			super.write(characters, offset, length);
		}

		@Override
		public void write(String text, int offset, int length) throws IOException {
			this.response.writeHeaders();
			super.write(text, offset, length);
		}

		@Override
		public void flush() throws IOException {
			this.response.writeHeaders();
			super.flush();
			this.response.flushed(this.writer);
		}

		@Override
		public void close() throws IOException {
			this.response.writeHeaders();
			super.close();
		}

	}

}
