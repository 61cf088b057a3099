package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitListener;

/**
 * Listener whose exceptions break no call. Only the first one is logged.
 */
final class SafeListener {

	private static final Logger logger = System.getLogger(SafeListener.class.getName());

	private final RateLimitListener listener;

	private final AtomicBoolean hasFailed;

	SafeListener(RateLimitListener listener) {
		this(listener, new AtomicBoolean());
	}

	private SafeListener(RateLimitListener listener, AtomicBoolean hasFailed) {
		this.listener = listener;
		this.hasFailed = hasFailed;
	}

	RateLimitListener listener() {
		return this.listener;
	}

	/**
	 * Return the listener to the decision of a call of the current thread.
	 */
	SafeListener forCaller() {
		try {
			RateLimitListener bound = this.listener.forCaller();
			return (bound != this.listener) ? new SafeListener(bound, this.hasFailed) : this;
		}
		catch (Exception | LinkageError ex) {
			failed(ex);
			return this;
		}
	}

	/**
	 * Notify the listener. Even checked exceptions, which other languages may throw, and
	 * missing classes are caught.
	 */
	void publish(Consumer<RateLimitListener> event) {
		try {
			event.accept(this.listener);
		}
		catch (Exception | LinkageError ex) {
			failed(ex);
		}
	}

	private void failed(Throwable failure) {
		if (this.hasFailed.compareAndSet(false, true)) {
			logger.log(Level.WARNING,
					"Listener " + this.listener.getClass().getName()
							+ " of the rate limiter failed. Calls go on; further failures of it are not logged.",
					failure);
		}
	}

}
