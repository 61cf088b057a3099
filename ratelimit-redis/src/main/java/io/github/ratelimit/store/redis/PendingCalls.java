package io.github.ratelimit.store.redis;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Bound on the calls that are queued for Redis or sent and not yet replied to, callers
 * that gave up included: Redis still works for them.
 */
final class PendingCalls {

	private final int most;

	private final AtomicInteger count = new AtomicInteger();

	PendingCalls(int most) {
		this.most = most;
	}

	/**
	 * Add a call, unless too many are pending.
	 */
	boolean enter() {
		if (this.count.incrementAndGet() <= this.most) {
			return true;
		}
		this.count.decrementAndGet();
		return false;
	}

	boolean isEmpty() {
		return this.count.get() == 0;
	}

	/**
	 * Remove calls that were replied to, or that left the queue.
	 */
	void leave(int calls) {
		this.count.addAndGet(-calls);
	}

}
