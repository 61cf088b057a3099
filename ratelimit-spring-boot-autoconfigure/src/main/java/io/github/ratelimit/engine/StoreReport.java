package io.github.ratelimit.engine;

import io.github.ratelimit.store.StoreException;

/**
 * Report of failures and recoveries of the store to the log and to listeners, and of the
 * time that its answers take.
 */
final class StoreReport {

	private final StoreFailureLog log;

	private final Listeners listeners;

	StoreReport(StoreFailureLog log, Listeners listeners) {
		this.log = log;
		this.listeners = listeners;
	}

	/**
	 * Return the time at which the store is asked.
	 */
	long start() {
		return this.listeners.start();
	}

	/**
	 * Report that the store was asked, whether it answered or failed.
	 * @param start the {@link #start()} of the question
	 */
	void asked(long start) {
		this.listeners.storeAsked(start);
	}

	/**
	 * Report a call that the store could not answer.
	 */
	void failed(StoreException failure) {
		this.log.failed(failure);
		this.listeners.storeFailed(failure.reason(), failure.remedy());
	}

	/**
	 * Report that a failure domain of the store is not asked any more.
	 */
	void lost(StoreException failure) {
		this.log.opened(failure);
		this.listeners.storeLost(failure.reason());
	}

	/**
	 * Report that a failure domain of the store is asked again.
	 */
	void found() {
		this.log.closed();
		this.listeners.storeFound();
	}

}
