package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.github.ratelimit.store.StoreException;

/**
 * Log of a store that cannot answer: one line when it is not called any more, one when it
 * is called again. A failure that needs an operator is an error, logged once a minute as
 * long as it lasts, regardless of the policy.
 */
final class StoreFailureLog {

	private static final Logger logger = System.getLogger(StoreFailureLog.class.getName());

	private static final long REMINDER = TimeUnit.MINUTES.toNanos(1);

	private final LongSupplier clock;

	private final String defaultPolicy;

	private final Map<String, Long> lastLogged = new ConcurrentHashMap<>();

	private final AtomicInteger open = new AtomicInteger();

	/**
	 * Create a new log.
	 * @param defaultPolicy the policy of rules that have none of their own
	 */
	StoreFailureLog(String defaultPolicy) {
		this(System::nanoTime, defaultPolicy);
	}

	/**
	 * Create a new log.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 * @param defaultPolicy the policy of rules that have none of their own
	 */
	StoreFailureLog(LongSupplier clock, String defaultPolicy) {
		this.clock = clock;
		this.defaultPolicy = defaultPolicy;
	}

	void failed(StoreException failure) {
		if (failure.remedy() != null && isNews(failure.reason())) {
			logger.log(Level.ERROR, "The store of rate limits refuses calls (" + failure.getMessage() + "). "
					+ failure.remedy() + " Meanwhile rules follow their on-store-failure policy" + byDefault());
		}
		else {
			logger.log(Level.DEBUG, "The store of rate limits failed: {0}", failure.getMessage());
		}
	}

	private boolean isNews(String reason) {
		long now = this.clock.getAsLong();
		Long last = this.lastLogged.get(reason);
		boolean news = last == null || now - last >= REMINDER;
		return news && ((last == null) ? this.lastLogged.putIfAbsent(reason, now) == null
				: this.lastLogged.replace(reason, last, now));
	}

	/**
	 * Log that a failure domain is no longer called. Of several, only the first loss and
	 * the last recovery are logged.
	 */
	void opened(StoreException failure) {
		if (this.open.getAndIncrement() == 0 && failure.remedy() == null) {
			logger.log(Level.WARNING, "The store of rate limits cannot answer (" + failure.getMessage()
					+ "). Until it can, rules follow their on-store-failure policy" + byDefault());
		}
	}

	void closed() {
		if (this.open.decrementAndGet() == 0) {
			logger.log(Level.INFO, "The store of rate limits answers again.");
		}
	}

	private String byDefault() {
		return ", by default " + this.defaultPolicy + ".";
	}

}
