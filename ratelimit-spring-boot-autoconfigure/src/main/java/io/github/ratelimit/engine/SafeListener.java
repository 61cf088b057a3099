package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.github.ratelimit.RateLimitListener;

/**
 * A listener whose exceptions break no call. The first one is logged, the others would
 * say the same.
 */
final class SafeListener {

	private static final Logger logger = System.getLogger(SafeListener.class.getName());

	private final RateLimitListener listener;

	private final AtomicBoolean told = new AtomicBoolean();

	SafeListener(RateLimitListener listener) {
		this.listener = listener;
	}

	/**
	 * Not even a checked exception, which other languages may throw, or a class that is
	 * missing gets through.
	 */
	void tell(Consumer<RateLimitListener> event) {
		try {
			event.accept(this.listener);
		}
		catch (Exception | LinkageError ex) {
			if (this.told.compareAndSet(false, true)) {
				logger.log(Level.WARNING,
						"Listener " + this.listener.getClass().getName()
								+ " of the rate limiter failed. Calls go on; further failures of it are not logged.",
						ex);
			}
		}
	}

}
