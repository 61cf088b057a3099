package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.store.StoreException;

/**
 * Report of failures and recoveries of the store to listeners and to the log: one line
 * when it is not called any more, one when it is called again. A failure that needs an
 * operator is an error, logged once a minute as long as it lasts, regardless of the
 * policy.
 */
final class StoreReport {

	private static final Logger logger = System.getLogger(StoreReport.class.getName());

	private final LongSupplier clock;

	private final String defaultPolicy;

	private final Listeners listeners;

	private final Map<String, Long> lastLogged = new ConcurrentHashMap<>();

	private final AtomicInteger open = new AtomicInteger();

	/** Reasons why failure domains are not called. */
	private final Deque<String> outages = new ArrayDeque<>();

	/**
	 * Create a new report.
	 * @param clock nanoseconds, as of {@link System#nanoTime()}
	 * @param defaultPolicy the policy of rules that have none of their own
	 */
	StoreReport(LongSupplier clock, String defaultPolicy, Listeners listeners) {
		this.clock = clock;
		this.defaultPolicy = defaultPolicy;
		this.listeners = listeners;
	}

	LongSupplier clock() {
		return this.clock;
	}

	/** Notify more listeners from now on, first of the outages that have begun before. */
	void listen(List<RateLimitListener> more) {
		Listeners added;
		List<String> begun;
		synchronized (this.outages) {
			added = this.listeners.add(more);
			begun = List.copyOf(this.outages);
		}
		begun.forEach(added::storeUnavailable);
	}

	Listeners listeners() {
		return this.listeners;
	}

	void failed(StoreException failure) {
		if (failure.remedy() != null
				&& CallFailureLog.isDue(failure.reason(), this.lastLogged, this.clock.getAsLong())) {
			logger.log(Level.ERROR, "The store of rate limits refuses calls (" + failure.getMessage() + "). "
					+ failure.remedy() + " Meanwhile rules follow their on-store-failure policy" + byDefault());
		}
		else {
			logger.log(Level.DEBUG, "The store of rate limits failed: {0}", failure.getMessage());
		}
		this.listeners.storeFailed(failure.reason(), failure.remedy());
	}

	/**
	 * Report that a failure domain of the store is not called any more. Of several, only
	 * the first loss and the last recovery are logged.
	 */
	void unavailable(StoreException failure) {
		if (this.open.getAndIncrement() == 0 && failure.remedy() == null) {
			logger.log(Level.WARNING, "The store of rate limits cannot answer (" + failure.getMessage()
					+ "). Until it can, rules follow their on-store-failure policy" + byDefault());
		}
		Listeners current;
		synchronized (this.outages) {
			this.outages.add(failure.reason());
			current = this.listeners.current();
		}
		current.storeUnavailable(failure.reason());
	}

	private String byDefault() {
		return ", by default " + this.defaultPolicy + ".";
	}

	/** Report that a failure domain of the store is called again. */
	void recovered() {
		if (this.open.decrementAndGet() == 0) {
			logger.log(Level.INFO, "The store of rate limits answers again.");
		}
		Listeners current;
		synchronized (this.outages) {
			this.outages.poll();
			current = this.listeners.current();
		}
		current.storeRecovered();
	}

}
