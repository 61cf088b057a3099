package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;

/**
 * Time of the last admitted call, which keeps the next one an interval away, regardless
 * of their cost. The interval is the period of the limit. A shorter interval counts from
 * the last call on, a longer one from the next one on.
 */
final class MinInterval extends Count {

	private static final long NONE = Long.MIN_VALUE / 2;

	private long last = NONE;

	private long countedBy;

	@Override
	void advance(Limit limit) {
		this.corrected = this.last > this.at;
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		return left(Math.min(limit.periodMicros(), this.countedBy));
	}

	private long left(long interval) {
		return Math.max(0, Math.min(this.last, this.at) + interval - this.at);
	}

	@Override
	void convert(Limit limit) {
		this.countedBy = limit.periodMicros();
	}

	@Override
	void take(Limit limit, long cost) {
		this.last = this.at;
	}

	/**
	 * A refund does not undo a call that went on. If the last turn of the queue is given
	 * up, the turn before it is at least an interval earlier.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		if (from > this.now) {
			this.last -= this.countedBy;
		}
		return this.last;
	}

	@Override
	void correct() {
		this.last = this.at;
	}

	@Override
	long used(Limit limit) {
		return (retryAfter(limit, 1) > 0) ? 1 : 0;
	}

	@Override
	long resetAfter() {
		return left(this.countedBy);
	}

	@Override
	void clear() {
		this.last = NONE;
	}

	@Override
	void write(StateOutput to) {
		to.number(this.last);
		to.number(this.countedBy);
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.last = from.time();
		this.countedBy = from.period();
	}

}
