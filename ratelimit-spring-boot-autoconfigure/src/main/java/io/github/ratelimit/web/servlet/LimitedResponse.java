package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.WebUtils;

/**
 * Response that gets the headers of the limits its request has met from the thread that
 * commits it, just before. No other thread touches its headers for them, since
 * applications set theirs without a lock. Everything else is left to the container.
 */
final class LimitedResponse extends HttpServletResponseWrapper {

	/**
	 * Since Servlet 6.1.
	 */
	private static final @Nullable MethodHandle REDIRECT = redirect();

	private final LimitedRequest request;

	private @Nullable ServletOutputStream stream;

	private @Nullable PrintWriter writer;

	LimitedResponse(HttpServletResponse response, LimitedRequest request) {
		super(response);
		this.request = request;
	}

	/**
	 * Find the limited response behind others, without touching the container's.
	 */
	static @Nullable LimitedResponse in(@Nullable HttpServletResponse response) {
		return (response != null) ? WebUtils.getNativeResponse(response, LimitedResponse.class) : null;
	}

	LimitedRequest request() {
		return this.request;
	}

	/**
	 * Write the headers, if the response can still have them. To be called by a thread
	 * that may commit the response.
	 */
	void writeHeaders() {
		if (this.request.limits().isChanged() && !this.request.isOver() && !isCommitted()) {
			this.request.limits().write(this::setHeader);
		}
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		if (this.stream == null) {
			this.stream = new LimitedOutputStream(super.getOutputStream(), this::writeHeaders);
		}
		return this.stream;
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		if (this.writer == null) {
			this.writer = new LimitedWriter(super.getWriter(), this::writeHeaders);
		}
		return this.writer;
	}

	@Override
	public void flushBuffer() throws IOException {
		writeHeaders();
		super.flushBuffer();
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
	 * Overrides a method of Servlet 6.1, to which its other redirections lead.
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
