package io.github.ratelimit.engine;

import io.github.ratelimit.store.StoreException;

/**
 * Report of failures and recoveries of the store to the log and to listeners, and of the
 * duration of calls.
 */
final class StoreReport {

	private final StoreFailureLog log;

	private final Listeners listeners;

	StoreReport(StoreFailureLog log, Listeners listeners) {
		this.log = log;
		this.listeners = listeners;
	}

	/**
	 * Return the start time of a call to the store.
	 */
	long start() {
		return this.listeners.start();
	}

	/**
	 * Report that a call to the store has ended, whether it was answered or failed.
	 * @param start the {@link #start()} of the call
	 */
	void called(long start) {
		this.listeners.storeCalled(start);
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
		this.listeners.storeUnavailable(failure.reason());
	}

	/**
	 * Report that a failure domain of the store is called again.
	 */
	void recovered() {
		this.log.closed();
		this.listeners.storeRecovered();
	}

}
