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
	public void take(Limit limit, long cost, long now) {
		forget(limit, firstLive(limit, now), now);
		int units = (int) cost;
		if (this.count + units > this.times.length) {
			this.times = Arrays.copyOf(this.times, Math.max(this.count + units, 2 * this.count));
		}
		Arrays.fill(this.times, this.count, this.count + units, now);
		this.count += units;
	}

	private void forget(Limit limit, int expired, long now) {
		if (expired == 0) {
			return;
		}
		if (this.count <= SHORT || expired * 2 >= this.count || now - this.times[0] >= 2 * limit.periodMicros()) {
			System.arraycopy(this.times, expired, this.times, 0, this.count - expired);
			this.count -= expired;
		}
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
		long expired = notBefore(now) - limit.periodMicros();
		int low = 0;
		int high = this.count;
		while (low < high) {
			int middle = (low + high) >>> 1;
			if (this.times[middle] > expired) {
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
