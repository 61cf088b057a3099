package io.github.ratelimit.web.servlet;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Writer of a response that runs an action before each use, since any use may commit the
 * response.
 */
final class LimitedWriter extends PrintWriter {

	private final PrintWriter writer;

	LimitedWriter(PrintWriter writer, Runnable beforeUse) {
		super(new BeforeUse(writer, beforeUse));
		this.writer = writer;
	}

	@Override
	public boolean checkError() {
		return super.checkError() | this.writer.checkError();
	}

	private static final class BeforeUse extends FilterWriter {

		private final Runnable beforeUse;

		BeforeUse(PrintWriter writer, Runnable beforeUse) {
			super(writer);
			this.beforeUse = beforeUse;
		}

		@Override
		public void write(int character) throws IOException {
			this.beforeUse.run();
			super.write(character);
		}

		@Override
		public void write(char[] characters, int offset, int length) throws IOException {
			this.beforeUse.run();
			super.write(characters, offset, length);
		}

		@Override
		public void write(String text, int offset, int length) throws IOException {
			this.beforeUse.run();
			super.write(text, offset, length);
		}

		@Override
		public void flush() throws IOException {
			this.beforeUse.run();
			super.flush();
		}

		@Override
		public void close() throws IOException {
			this.beforeUse.run();
			super.close();
		}

	}

}
