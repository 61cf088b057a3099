package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.web.util.WebUtils;

/**
 * Response to which the committing thread adds the headers of the limits of its request.
 * No other thread does, since response headers are not thread-safe. Everything else is
 * left to the container.
 */
final class LimitedResponse extends HttpServletResponseWrapper {

	/**
	 * Method of Servlet 6.1 or later.
	 */
	private static final @Nullable MethodHandle REDIRECT = redirect();

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

	/**
	 * Note whether a flush has failed, which a {@link PrintWriter} does not throw.
	 */
	void flushed(PrintWriter writer) {
		if (this.request.isFollowed() && writer.checkError()) {
			failWrite(new IOException("The response cannot be written"));
		}
	}

	/**
	 * Reset a response whose writer or stream is in use, so that another one can write
	 * all of it. The headers stay, except those of the content.
	 */
	static void restart(HttpServletResponse response) {
		LimitedResponse limited = in(response);
		if (limited == null || response.isCommitted() || (limited.stream == null && limited.writer == null)) {
			return;
		}
		Map<String, List<String>> headers = new LinkedHashMap<>();
		response.getHeaderNames().forEach((name) -> headers.put(name, List.copyOf(response.getHeaders(name))));
		response.reset();
		headers.forEach((name, values) -> {
			if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_TYPE)
					&& !name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
				values.forEach((value) -> response.addHeader(name, value));
			}
		});
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

	/**
	 * Override the method of Servlet 6.1 that its other redirect methods call.
	 */
	public void sendRedirect(String location, int status, boolean clearBuffer) throws IOException {
		writeHeaders();
		if (REDIRECT == null) {
			throw new UnsupportedOperationException();
		}
		try {
			REDIRECT.invokeExact((HttpServletResponse) getResponse(), location, status, clearBuffer);
		}
		catch (IOException | RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static @Nullable MethodHandle redirect() {
		try {
			return MethodHandles.publicLookup()
				.findVirtual(HttpServletResponse.class, "sendRedirect",
						MethodType.methodType(void.class, String.class, int.class, boolean.class));
		}
		catch (NoSuchMethodException ex) {
			return null;
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

}
