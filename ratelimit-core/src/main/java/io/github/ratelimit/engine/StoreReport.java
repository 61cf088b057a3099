package io.github.ratelimit.engine;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.store.StoreException;

/**
 * Report of failures and recoveries of the store to the log and to listeners.
 */
final class StoreReport {

	private final StoreFailureLog log;

	private final Listeners listeners;

	/**
	 * Reasons why failure domains are not called.
	 */
	private final Deque<String> outages = new ArrayDeque<>();

	StoreReport(StoreFailureLog log, Listeners listeners) {
		this.log = log;
		this.listeners = listeners;
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

	/**
	 * Report a call that the store could not answer.
	 */
	void failed(StoreException failure) {
		this.log.failed(failure);
		this.listeners.storeFailed(failure.reason(), failure.remedy());
	}

	/**
	 * Report that a failure domain of the store is not called any more.
	 */
	void unavailable(StoreException failure) {
		this.log.opened(failure);
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
		this.log.closed();
		Listeners current;
		synchronized (this.outages) {
			this.outages.poll();
			current = this.listeners.current();
		}
		current.storeRecovered();
	}

}
