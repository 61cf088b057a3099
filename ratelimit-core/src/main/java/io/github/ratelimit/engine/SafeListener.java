package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitListener;

/** Listener whose exceptions and errors break no call. Only the first one is logged. */
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

	SafeListener forCaller() {
		try {
			RateLimitListener bound = Objects.requireNonNull(this.listener.forCaller(), "forCaller() returned null");
			return (bound != this.listener) ? new SafeListener(bound, this.hasFailed) : this;
		}
		catch (Throwable ex) {
			failed(ex);
			return this;
		}
	}

	/**
	 * Notify the listener. Everything is caught: an error, or a checked exception, which
	 * other languages may throw, would leave a call with units that nobody refunds.
	 */
	void publish(Consumer<RateLimitListener> event) {
		try {
			event.accept(this.listener);
		}
		catch (Throwable ex) {
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
