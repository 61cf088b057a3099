package io.github.ratelimit.web.servlet;

import java.util.function.Supplier;

import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

/**
 * A servlet request as long as it lasts: the limits it has met, and whether it is over.
 * When it is, the container uses its objects for other requests, so a thread that still
 * works on it must not be told what they say then.
 */
final class LimitedRequest {

	private static final String ATTRIBUTE = LimitedRequest.class.getName();

	private final RequestLimits limits;

	private volatile boolean over;

	LimitedRequest(WebRequests settings) {
		this.limits = new RequestLimits(settings);
	}

	/**
	 * Return the state of a request, the same in all its dispatches. To be called by the
	 * container's thread only.
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
	 * Begin a dispatch: an error page, for example, follows a request that seemed over.
	 */
	void begin() {
		this.over = false;
	}

	/**
	 * End the request. The container does not reuse it before.
	 */
	void end() {
		this.over = true;
	}

	/**
	 * End the request as soon as the asynchronous work is complete that it has started.
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
	 * @param part what to read
	 * @return its value, read while the request lasted
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
