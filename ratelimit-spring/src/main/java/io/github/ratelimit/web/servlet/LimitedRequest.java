package io.github.ratelimit.web.servlet;

import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.context.request.async.WebAsyncUtils;
import org.springframework.web.util.DisconnectedClientHelper;

/**
 * State of a servlet request: its limits, and whether it is over. Once it is, the
 * container reuses its objects for other requests, so a thread that still works on it
 * must not read them.
 */
final class LimitedRequest {

	private static final String ATTRIBUTE = LimitedRequest.class.getName();

	/** Status of nginx for a client that disconnects before there is a response. */
	private static final int CLIENT_CLOSED_REQUEST = 499;

	private final RequestLimits limits;

	private volatile boolean over;

	private volatile boolean isAsync;

	private volatile @Nullable IOException failedWrite;

	private @Nullable List<End> ends;

	LimitedRequest(WebRequests settings) {
		this.limits = new RequestLimits(settings);
	}

	/**
	 * Return the state of a request that is not over.
	 * @return {@code null} if no {@link LimitHeadersFilter} follows the request
	 */
	static @Nullable LimitedRequest of(HttpServletRequest request) {
		return (LimitedRequest) request.getAttribute(ATTRIBUTE);
	}

	/**
	 * Return the state of a request, the same in all its dispatches. Only for the
	 * container's thread.
	 */
	static LimitedRequest of(HttpServletRequest request, WebRequests settings) {
		LimitedRequest known = of(request);
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
	 * request, and an asynchronous one may have a result.
	 */
	synchronized void begin(HttpServletRequest request) {
		this.over = false;
		this.isAsync = false;
		if (this.ends != null && request.getDispatcherType() == DispatcherType.ASYNC
				&& WebAsyncUtils.getAsyncManager(request).hasConcurrentResult()) {
			Object result = WebAsyncUtils.getAsyncManager(request).getConcurrentResult();
			this.ends.forEach((end) -> end.dispatched(result));
		}
	}

	/**
	 * Add an action that follows when the response is complete.
	 * @return {@code false} if the request is over already
	 */
	synchronized boolean whenComplete(End end) {
		if (this.over) {
			return false;
		}
		this.ends = (this.ends != null) ? this.ends : new ArrayList<>(2);
		this.ends.add(end);
		return true;
	}

	/** End the request, before the container reuses it. */
	void end(HttpServletResponse response, @Nullable Throwable failure) {
		List<End> following;
		synchronized (this) {
			this.over = true;
			following = this.ends;
			this.ends = null;
		}
		if (following != null) {
			complete(following, response, (failure != null) ? failure : this.failedWrite);
		}
	}

	private static void complete(List<End> following, HttpServletResponse response, @Nullable Throwable failure) {
		int status = status(response, failure);
		following.forEach((end) -> end.complete(status, failure));
	}

	private static int status(HttpServletResponse response, @Nullable Throwable failure) {
		if (failure == null || response.isCommitted()) {
			return response.getStatus();
		}
		return DisconnectedClientHelper.isClientDisconnectedException(failure) ? CLIENT_CLOSED_REQUEST
				: HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
	}

	synchronized boolean isFollowed() {
		return this.ends != null;
	}

	/**
	 * Record that the response cannot be written. Some containers do not tell a listener,
	 * and wait for the end of an asynchronous request that has no more to say. A gateway
	 * may go on reading what it cannot forward any more.
	 */
	void failWrite(HttpServletResponse response, IOException failure) {
		this.failedWrite = failure;
		if (this.isAsync) {
			end(response, failure);
		}
		else {
			complete(takeAllButMethods(), response, failure);
		}
	}

	private synchronized List<End> takeAllButMethods() {
		if (this.ends == null) {
			return List.of();
		}
		List<End> taken = this.ends.stream().filter((end) -> !end.isOfMethod()).toList();
		this.ends.removeAll(taken);
		return taken;
	}

	void endAfterAsync(HttpServletRequest request, HttpServletResponse response) {
		try {
			request.getAsyncContext().addListener(new Listener(this, response));
			this.isAsync = true;
			if (this.failedWrite != null) {
				end(response, this.failedWrite);
			}
		}
		catch (IllegalStateException ex) {
			end(response, null); // complete already
		}
	}

	/**
	 * Read from the request.
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

	/**
	 * Action that follows when the response is complete or cannot be written any more, at
	 * most once.
	 */
	interface End {

		void complete(int status, @Nullable Throwable failure);

		/**
		 * Return whether the action belongs to a method that may still run when the
		 * response cannot be written.
		 */
		default boolean isOfMethod() {
			return false;
		}

		/**
		 * Note the result of asynchronous processing, from which Spring MVC goes on to
		 * make the response.
		 */
		default void dispatched(@Nullable Object result) {
		}

	}

	/**
	 * Listener that ends the request when it completes or its connection fails. Tomcat
	 * may recycle a request whose connection has failed without completing it. A dispatch
	 * that answers any other failure, or a timeout, ends the request itself.
	 */
	private static final class Listener implements AsyncListener {

		private final LimitedRequest request;

		private final HttpServletResponse response;

		private volatile @Nullable Throwable failure;

		Listener(LimitedRequest request, HttpServletResponse response) {
			this.request = request;
			this.response = response;
		}

		@Override
		public void onComplete(AsyncEvent event) {
			this.request.end(this.response, this.failure);
		}

		@Override
		public void onTimeout(AsyncEvent event) {
		}

		@Override
		public void onError(AsyncEvent event) {
			Throwable seen = event.getThrowable();
			this.failure = (seen != null) ? seen : new EOFException("The connection has failed");
			if (this.failure instanceof IOException || this.response.isCommitted()) {
				this.request.end(this.response, this.failure);
			}
		}

		@Override
		public void onStartAsync(AsyncEvent event) {
		}

	}

}
