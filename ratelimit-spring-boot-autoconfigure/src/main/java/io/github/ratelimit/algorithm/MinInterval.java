package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * Time of the last admitted call, which keeps the next one an interval away, regardless
 * of their cost. The interval is the period of the limit. A changed interval counts from
 * the last call on, unless the old one is over.
 */
final class MinInterval extends Count {

	private static final long NONE = Long.MIN_VALUE / 2;

	private long last = NONE;

	private long countedBy;

	private boolean movedBack;

	@Override
	void advance(Limit limit) {
		this.movedBack = this.last > this.at;
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		return resetAfter(limit);
	}

	@Override
	void take(Limit limit, long cost) {
		this.last = this.at;
		this.countedBy = limit.periodMicros();
	}

	/**
	 * A refund does not undo a call that went on. If the last turn of the queue is given
	 * up, the turn before it is at least an interval earlier.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		if (from > this.now) {
			this.last -= limit.periodMicros();
		}
		return this.last;
	}

	@Override
	boolean correct(Limit limit) {
		boolean longer = this.last > NONE && limit.periodMicros() > this.countedBy;
		if (!this.movedBack && !longer) {
			return false;
		}
		this.last = Math.min(this.last, this.at);
		this.countedBy = Math.max(this.countedBy, limit.periodMicros());
		this.movedBack = false;
		return true;
	}

	@Override
	long remaining(Limit limit) {
		return (resetAfter(limit) > 0) ? 0 : 1;
	}

	@Override
	long resetAfter(Limit limit) {
		return Math.max(0, Math.min(this.last, this.at) + limit.periodMicros() - this.at);
	}

	@Override
	void clear() {
		this.last = NONE;
	}

}
