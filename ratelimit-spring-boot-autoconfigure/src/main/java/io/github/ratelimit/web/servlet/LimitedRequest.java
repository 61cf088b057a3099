package io.github.ratelimit.web.servlet;

import java.util.function.Supplier;

import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * State of a servlet request: its limits, and whether it is over. Once it is, the
 * container reuses its objects for other requests, so a thread that still works on it
 * must not read them.
 */
final class LimitedRequest {

	private static final String ATTRIBUTE = LimitedRequest.class.getName();

	private final RequestLimits limits;

	private volatile boolean over;

	LimitedRequest(WebRequests settings) {
		this.limits = new RequestLimits(settings);
	}

	/**
	 * Return the state of a request, the same in all its dispatches. Only for the
	 * container's thread.
	 */
	static LimitedRequest of(HttpServletRequest request, WebRequests settings) {
		LimitedRequest known = (LimitedRequest) request.getAttribute(ATTRIBUTE);
		if (known != null) {
			return known;
		}
		LimitedRequest unknown = new LimitedRequest(settings);
		request.setAttribute(ATTRIBUTE, unknown);
		return unknown;
	}

	RequestLimits limits() {
		return this.limits;
	}

	boolean isOver() {
		return this.over;
	}

	/**
	 * Begin a dispatch. An error dispatch, for example, follows the apparent end of a
	 * request.
	 */
	void begin() {
		this.over = false;
	}

	/**
	 * End the request, before the container reuses it.
	 */
	void end() {
		this.over = true;
	}

	/**
	 * End the request when its asynchronous processing completes.
	 */
	void endAfterAsync(HttpServletRequest request) {
		try {
			request.getAsyncContext().addListener(new End(this));
		}
		catch (IllegalStateException ex) {
			end(); // complete already
		}
	}

	/**
	 * Read from the request.
	 * @param part reads a part of the request
	 * @return the value that was read
	 * @throws IllegalStateException if the request is over
	 */
	<T extends @Nullable Object> T read(Supplier<T> part) {
		try {
			if (!this.over) {
				T value = part.get();
				if (!this.over) {
					return value;
				}
			}
		}
		catch (RuntimeException ex) {
			if (!this.over) {
				throw ex;
			}
		}
		throw new IllegalStateException("the web request is over");
	}

	private record End(LimitedRequest request) implements AsyncListener {

		@Override
		public void onComplete(AsyncEvent event) {
			this.request.end();
		}

		@Override
		public void onTimeout(AsyncEvent event) {
		}

		@Override
		public void onError(AsyncEvent event) {
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
		}

	}

}
