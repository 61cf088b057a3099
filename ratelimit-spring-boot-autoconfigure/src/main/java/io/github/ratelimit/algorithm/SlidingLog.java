package io.github.ratelimit.algorithm;

import java.util.Arrays;

import io.github.ratelimit.Limit;

/**
 * The times of the admitted units, oldest first. A call of cost {@code c} at {@code t} is
 * admitted when the units in {@code (t - period, t]} and {@code c} together are at most
 * {@code max}.
 *
 * <p>
 * The times are sorted, so the first one that still counts is found by bisection. Expired
 * times are forgotten together with the next admission when the log is short, when they
 * are half of it, or when the oldest is two periods old: then each is moved once on
 * average, whatever the length.
 */
final class SlidingLog implements LimitState {

	private static final int SHORT = 64;

	private long[] times = {};

	private int count;

	@Override
	public long retryAfter(Limit limit, long cost, long now) {
		if (cost > limit.max()) {
			return NEVER;
		}
		int first = firstLive(limit, now);
		long excess = this.count - first + cost - limit.max();
		return (excess <= 0) ? 0 : this.times[first + (int) excess - 1] + limit.periodMicros() - notBefore(now);
	}

	@Override
	public void take(Limit limit, long cost, long slot, long now) {
		forget(limit, firstAfter(now - limit.periodMicros()), now);
		int units = (int) cost;
		if (this.count + units > this.times.length) {
			this.times = Arrays.copyOf(this.times, Math.max(this.count + units, 2 * this.count));
		}
		Arrays.fill(this.times, this.count, this.count + units, slot);
		this.count += units;
	}

	/**
	 * Only the newest {@code max} units ever matter. Twice as many are kept, so that few
	 * denied calls cut the log.
	 */
	@Override
	public void takeDenied(Limit limit, long cost, long slot, long now) {
		take(limit, cost, slot, now);
		if (this.count > 2 * limit.max()) {
			remove(0, this.count - (int) limit.max());
		}
	}

	@Override
	public long giveBack(Limit limit, long cost, long slot, long judged, long now) {
		int end = firstAfter(slot);
		int units = (int) Math.min(cost, end - Math.min(end, firstAfter(now - limit.periodMicros())));
		remove(end - units, units);
		return (this.count == 0) ? 0 : this.times[this.count - 1];
	}

	private void forget(Limit limit, int expired, long now) {
		if (expired == 0) {
			return;
		}
		if (this.count <= SHORT || expired * 2 >= this.count || now - this.times[0] >= 2 * limit.periodMicros()) {
			remove(0, expired);
		}
	}

	private void remove(int from, int units) {
		System.arraycopy(this.times, from + units, this.times, from, this.count - from - units);
		this.count -= units;
	}

	@Override
	public boolean settle(Limit limit, long now) {
		long ahead = (this.count == 0) ? 0 : this.times[this.count - 1] - now;
		for (int i = 0; ahead > 0 && i < this.count; i++) {
			this.times[i] -= ahead;
		}
		return ahead > 0;
	}

	@Override
	public long remaining(Limit limit, long now) {
		return Math.max(0, limit.max() - (this.count - firstLive(limit, now)));
	}

	@Override
	public long resetAfter(Limit limit, long now) {
		return (firstLive(limit, now) == this.count) ? 0
				: this.times[this.count - 1] + limit.periodMicros() - notBefore(now);
	}

	private int firstLive(Limit limit, long now) {
		return firstAfter(notBefore(now) - limit.periodMicros());
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

	private long notBefore(long now) {
		return (this.count == 0) ? now : Math.max(now, this.times[this.count - 1]);
	}

}
