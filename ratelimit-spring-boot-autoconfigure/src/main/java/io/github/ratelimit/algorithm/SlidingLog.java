package io.github.ratelimit.algorithm;

import java.util.Arrays;

import io.github.ratelimit.Limit;

/**
 * Times of the admitted units, oldest first. A call of cost {@code c} at {@code t} is
 * admitted if the units in {@code (t - period, t]} and {@code c} together are at most
 * {@code max}.
 *
 * <p>
 * The times are sorted, so bisection finds the first one that counts. An admission
 * removes expired times if the log is short, if they are half of it, or if the oldest is
 * two periods old. So each time is moved once on average, regardless of the length.
 *
 * <p>
 * {@code countedBy} is the period at the last admission. Units that expired by it do not
 * count again if the period becomes longer.
 */
final class SlidingLog extends Count {

	private static final int SHORT = 64;

	private long[] times = {};

	private int count;

	private long setBack;

	private int first;

	private long countedBy = Long.MAX_VALUE;

	/**
	 * If the clock was set back, the newest time takes the place of {@link #at}.
	 */
	@Override
	void advance(Limit limit) {
		this.setBack = Math.max(0, newest(this.at) - this.at);
		this.first = firstAfter(Math.max(time() - limit.periodMicros(), expiredUntil(limit)));
	}

	/**
	 * Return the latest time whose units have expired by now, by the shorter of the
	 * present period and the one they were counted by.
	 */
	private long expiredUntil(Limit limit) {
		return this.now + this.setBack - Math.min(this.countedBy, limit.periodMicros());
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		long excess = this.count - this.first + cost - limit.max();
		return (excess <= 0) ? 0 : this.times[this.first + (int) excess - 1] + limit.periodMicros() - time();
	}

	@Override
	void take(Limit limit, long cost) {
		forget(limit, (this.at == this.now) ? this.first : firstAfter(expiredUntil(limit)));
		int units = (int) cost;
		if (this.count + units > this.times.length) {
			this.times = Arrays.copyOf(this.times, Math.max(this.count + units, 2 * this.count));
		}
		Arrays.fill(this.times, this.count, this.count + units, this.at);
		this.count += units;
		this.countedBy = limit.periodMicros();
	}

	/**
	 * Only the newest {@code max} units matter, or as many as counted before if they are
	 * more and may matter to another plan. Up to twice {@code max} are kept, so that few
	 * denied calls shorten the log.
	 */
	@Override
	void takeDenied(Limit limit, long cost, long max) {
		int before = this.underPlans ? this.count - this.first : 0;
		take(limit, cost);
		if (this.count > 2 * max) {
			remove(0, this.count - (int) Math.max(max, before));
		}
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		int end = firstAfter(to);
		int begin = firstAfter(Math.max(from - 1, expiredUntil(limit)));
		int units = (int) Math.min(cost, end - Math.min(end, begin));
		remove(end - units, units);
		return newest(0);
	}

	@Override
	void renewNewest(Limit limit, long units) {
		Arrays.fill(this.times, (int) Math.max(this.first, this.count - units), this.count, this.at);
	}

	@Override
	void clear() {
		this.count = 0;
		this.first = 0;
	}

	private void forget(Limit limit, int expired) {
		if (expired == 0) {
			return;
		}
		if (this.count <= SHORT || expired * 2 >= this.count || this.now - this.times[0] >= 2 * limit.periodMicros()) {
			remove(0, expired);
		}
	}

	private void remove(int from, int units) {
		System.arraycopy(this.times, from + units, this.times, from, this.count - from - units);
		this.count -= units;
		this.first = Math.max(0, this.first - units);
	}

	/**
	 * If the period became longer, units that have expired are removed, since they would
	 * count again.
	 */
	@Override
	boolean correct(Limit limit) {
		boolean longer = limit.periodMicros() > this.countedBy && newest(0) > expiredUntil(limit);
		if (this.setBack == 0 && !longer) {
			return false;
		}
		if (longer) {
			remove(0, firstAfter(expiredUntil(limit)));
			this.countedBy = limit.periodMicros();
		}
		for (int i = 0; i < this.count; i++) {
			this.times[i] -= this.setBack;
		}
		this.setBack = 0;
		return true;
	}

	@Override
	public Count copy() {
		SlidingLog copy = (SlidingLog) super.copy();
		copy.times = Arrays.copyOf(this.times, this.count);
		return copy;
	}

	@Override
	long remaining(Limit limit) {
		return Math.max(0, limit.max() - (this.count - this.first));
	}

	@Override
	long used(Limit limit) {
		return this.count - this.first;
	}

	@Override
	long resetAfter(Limit limit) {
		return (this.first == this.count) ? 0 : this.times[this.count - 1] + limit.periodMicros() - time();
	}

	private long time() {
		return this.at + this.setBack;
	}

	private int firstAfter(long time) {
		int low = 0;
		int high = this.count;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.times[middle] > time) {
				high = middle;
			}
			else {
				low = middle + 1;
			}
		}
		return low;
	}

	private long newest(long otherwise) {
		return (this.count == 0) ? otherwise : this.times[this.count - 1];
	}

}
