package io.github.ratelimit.web.servlet;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.util.WebUtils;

/**
 * Response to which the committing thread adds the headers of the limits of its request.
 * No other thread does, since response headers are not thread-safe. Everything else is
 * left to the container.
 */
final class LimitedResponse extends HttpServletResponseWrapper {

	/** Headers by which a handler announces its content. */
	private static final List<String> CONTENT = List.of(HttpHeaders.CONTENT_TYPE, HttpHeaders.CONTENT_LENGTH,
			HttpHeaders.CONTENT_ENCODING, HttpHeaders.CONTENT_DISPOSITION, HttpHeaders.CONTENT_RANGE);

	/** Method of Servlet 6.1 or later. */
	private static final @Nullable Method REDIRECT = ReflectionUtils.findMethod(HttpServletResponse.class,
			"sendRedirect", String.class, int.class, boolean.class);

	private final HttpServletResponse original;

	private final LimitedRequest request;

	private @Nullable ServletOutputStream stream;

	private @Nullable PrintWriter writer;

	LimitedResponse(HttpServletResponse response, LimitedRequest request) {
		super(response);
		this.original = response;
		this.request = request;
	}

	/**
	 * Find the limited response behind wrappers, without calling the container's
	 * response.
	 */
	static @Nullable LimitedResponse in(@Nullable HttpServletResponse response) {
		return (response != null) ? WebUtils.getNativeResponse(response, LimitedResponse.class) : null;
	}

	LimitedRequest request() {
		return this.request;
	}

	/**
	 * Write the headers unless the response is committed. Only for threads that may
	 * commit it. The headers go to the original response: while another resource is
	 * included, the container ignores those that are set through wrappers.
	 */
	void writeHeaders() {
		if (this.request.limits().isChanged() && !this.request.isOver() && !isCommitted()) {
			this.request.limits().write(this.original::setHeader);
		}
	}

	void failWrite(IOException failure) {
		this.request.failWrite(this, failure);
	}

	/** Note whether a flush has failed, which a {@link PrintWriter} does not throw. */
	void flushed(PrintWriter writer) {
		if (this.request.isFollowed() && writer.checkError()) {
			failWrite(new IOException("The response cannot be written"));
		}
	}

	/**
	 * Reset the content of a response, so that another one can write all of it. The
	 * headers stay, except those of the content. Of a response that nobody writes to, and
	 * that has no others of these, only the content type is reset, so that it keeps its
	 * encoding. Spring MVC resets the type as a header, which Tomcat 10 ignores. Jetty
	 * refuses to reset it alone while the writer is in use, Undertow always.
	 */
	static void restart(HttpServletResponse response) {
		LimitedResponse limited = in(response);
		if (response.isCommitted()) {
			return;
		}
		if (limited == null || (limited.stream == null && limited.writer == null)) {
			if (response.getContentType() != null) { // else Tomcat resets the encoding
				response.setContentType(null);
			}
			if (limited == null || CONTENT.stream().noneMatch(response::containsHeader)) {
				return;
			}
		}
		HttpHeaders headers = new HttpHeaders();
		response.getHeaderNames()
			.forEach((name) -> response.getHeaders(name).forEach((value) -> headers.add(name, value)));
		headers.clearContentHeaders();
		response.reset();
		headers.headerSet()
			.forEach((header) -> header.getValue().forEach((value) -> response.addHeader(header.getKey(), value)));
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		if (this.stream == null) {
			this.stream = new LimitedOutputStream(super.getOutputStream(), this);
		}
		return this.stream;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.writer == null) {
			this.writer = new LimitedWriter(super.getWriter(), this);
		}
		return this.writer;
	}

	@Override
	public void flushBuffer() throws IOException {
		writeHeaders();
		try {
			super.flushBuffer();
		}
		catch (IOException ex) {
			failWrite(ex);
			throw ex;
		}
	}

	@Override
	public void sendError(int status, String message) throws IOException {
		writeHeaders();
		super.sendError(status, message);
	}

	@Override
	public void sendError(int status) throws IOException {
		writeHeaders();
		super.sendError(status);
	}

	@Override
	public void sendRedirect(String location) throws IOException {
		writeHeaders();
		super.sendRedirect(location);
	}

	/** Override the method of Servlet 6.1 that its other redirect methods call. */
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		writeHeaders();
		if (REDIRECT == null) {
			throw new UnsupportedOperationException();
		}
		try {
			REDIRECT.invoke(getResponse(), location, status, clearBuffer);
		}
		catch (InvocationTargetException ex) {
			if (ex.getTargetException() instanceof IOException failure) {
				throw failure;
			}
			ReflectionUtils.rethrowRuntimeException(ex.getTargetException());
		}
		catch (IllegalAccessException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void reset() {
		super.reset();
		this.stream = null;
		this.writer = null;
		this.request.limits().rewrite();
	}

	/**
	 * Output stream of a response to which the limits add headers before each use, since
	 * any use may commit it. It notes uses that fail.
	 */
	private static final class LimitedOutputStream extends ServletOutputStream {

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

	/**
	 * Writer of a response to which the limits add headers before each use, since any use
	 * may commit it. It notes when the response cannot be flushed.
	 */
	private static final class LimitedWriter extends PrintWriter {

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

}
