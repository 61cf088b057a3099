package io.github.ratelimit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.store.StoreException;

/**
 * Report of failures and recoveries of the store to the log and to listeners.
 */
final class StoreReport {

	private final String defaultPolicy;

	private final Listeners listeners;

	/**
	 * Reasons why failure domains are not called.
	 */
	private final Deque<String> outages = new ArrayDeque<>();

	private volatile @Nullable StoreFailureLog log;

	/**
	 * Create a new report.
	 * @param defaultPolicy the policy of rules that have none of their own
	 */
	StoreReport(String defaultPolicy, Listeners listeners) {
		this.defaultPolicy = defaultPolicy;
		this.listeners = listeners;
	}

	StoreReport(StoreFailureLog log, Listeners listeners) {
		this("", listeners);
		this.log = log;
	}

	/**
	 * Return the log, created by the first failure.
	 */
	private StoreFailureLog log() {
		StoreFailureLog known = this.log;
		return (known != null) ? known : createLog();
	}

	private synchronized StoreFailureLog createLog() {
		StoreFailureLog known = this.log;
		if (known == null) {
			known = new StoreFailureLog(this.defaultPolicy);
			this.log = known;
		}
		return known;
	}

	/**
	 * Notify more listeners from now on, first of the outages that have begun before.
	 */
	void listen(List<RateLimitListener> more) {
		Listeners added;
		List<String> begun;
		synchronized (this.outages) {
			added = this.listeners.add(more);
			begun = List.copyOf(this.outages);
		}
		begun.forEach(added::storeUnavailable);
	}

	/**
	 * Return the listeners, who time the calls to the store.
	 */
	Listeners listeners() {
		return this.listeners;
	}

	void failed(StoreException failure) {
		log().failed(failure);
		this.listeners.storeFailed(failure.reason(), failure.remedy());
	}

	/**
	 * Report that a failure domain of the store is not called any more.
	 */
	void unavailable(StoreException failure) {
		log().opened(failure);
		Listeners current;
		synchronized (this.outages) {
			this.outages.add(failure.reason());
			current = this.listeners.current();
		}
		current.storeUnavailable(failure.reason());
	}

	/**
	 * Report that a failure domain of the store is called again.
	 */
	void recovered() {
		log().closed();
		Listeners current;
		synchronized (this.outages) {
			this.outages.poll();
			current = this.listeners.current();
		}
		current.storeRecovered();
	}

}
