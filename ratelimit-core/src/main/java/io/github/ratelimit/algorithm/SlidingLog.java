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
 * {@code countedBy} is the period at the last admission. Units that have expired by it do
 * not count again, and units that have expired by a shorter period do not count for its
 * calls.
 */
final class SlidingLog extends Count {

	private static final int SHORT = 64;

	private long[] times = {};

	private int count;

	private long setBack;

	private int first;

	private long countedBy;

	/** If the clock was set back, the newest time takes the place of {@link #at}. */
	@Override
	void advance(Limit limit) {
		this.setBack = Math.max(0, newest(this.at) - this.at);
		this.corrected = this.setBack > 0;
		if (this.count == 0) {
			this.countedBy = limit.periodMicros();
		}
		this.first = firstAfter(time() - this.countedBy);
	}

	/** Return the latest time whose units have expired by the clock. */
	private long expiredByNow() {
		return this.now + this.setBack - this.countedBy;
	}

	/** Return how many units have expired by the clock. */
	private int expired() {
		return (this.at == this.now) ? this.first : firstAfter(expiredByNow());
	}

	/** Return the first unit that counts for a call. */
	private int first(Limit limit) {
		return (limit.periodMicros() >= this.countedBy) ? this.first : firstAfter(time() - limit.periodMicros());
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		int first = first(limit);
		long excess = this.count - first + cost - limit.max();
		return (excess <= 0) ? 0
				: this.times[first + (int) excess - 1] + Math.min(limit.periodMicros(), this.countedBy) - time();
	}

	/**
	 * Units that have expired would count again by a longer period. Those that expire
	 * before the turn of a call that waits stay and count by the longer one, since the
	 * call may give up.
	 */
	@Override
	void convert(Limit limit) {
		if (limit.periodMicros() > this.countedBy) {
			remove(0, expired());
		}
		this.countedBy = limit.periodMicros();
		this.first = firstAfter(time() - this.countedBy);
	}

	@Override
	void take(Limit limit, long cost) {
		forget(expired());
		int units = (int) cost;
		if (this.count + units > this.times.length) {
			this.times = Arrays.copyOf(this.times, Math.max(this.count + units, 2 * this.count));
		}
		Arrays.fill(this.times, this.count, this.count + units, this.at);
		this.count += units;
	}

	/**
	 * Only the newest {@code max} units matter, or as many as counted before if they are
	 * more and may matter to other calls. Up to twice {@code max} are kept, so that few
	 * denied calls shorten the log.
	 */
	@Override
	void takeDenied(Limit limit, long cost) {
		int before = this.count - this.first;
		take(limit, cost);
		if (this.count > 2 * limit.max()) {
			remove(0, this.count - (int) Math.max(limit.max(), before));
		}
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		int end = firstAfter(to);
		int begin = firstAfter(Math.max(from - 1, expiredByNow()));
		int units = (int) Math.min(cost, end - Math.min(end, begin));
		remove(end - units, units);
		return newest(0);
	}

	@Override
	void clear() {
		this.count = 0;
		this.first = 0;
	}

	private void forget(int expired) {
		if (expired == 0) {
			return;
		}
		if (this.count <= SHORT || expired * 2 >= this.count || this.now - this.times[0] >= 2 * this.countedBy) {
			remove(0, expired);
		}
	}

	private void remove(int from, int units) {
		System.arraycopy(this.times, from + units, this.times, from, this.count - from - units);
		this.count -= units;
		this.first = Math.max(0, this.first - units);
	}

	@Override
	void correct() {
		for (int i = 0; i < this.count; i++) {
			this.times[i] -= this.setBack;
		}
		this.setBack = 0;
	}

	@Override
	public Count copy() {
		SlidingLog copy = (SlidingLog) super.copy();
		copy.times = Arrays.copyOf(this.times, this.count);
		return copy;
	}

	@Override
	long used(Limit limit) {
		return this.count - first(limit);
	}

	@Override
	long resetAfter() {
		return (this.first == this.count) ? 0 : this.times[this.count - 1] + this.countedBy - time();
	}

	private long time() {
		return this.at + this.setBack;
	}

	/** Most calls find the first unit where the last one has found it, or near by. */
	private int firstAfter(long time) {
		int high = this.count;
		int low = Math.min(this.first, high);
		if (low > 0 && this.times[low - 1] > time) {
			high = low - 1;
			low = 0;
		}
		for (int step = 1; low + step <= high && this.times[low + step - 1] <= time; step *= 2) {
			low += step;
		}
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

	@Override
	void write(StateOutput to) {
		to.number(this.countedBy);
		to.number(this.count);
		long before = 0;
		for (int i = 0; i < this.count; i++) {
			to.number(this.times[i] - before);
			before = this.times[i];
		}
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.countedBy = from.period();
		this.count = from.count();
		this.times = new long[this.count];
		for (int i = 0; i < this.count; i++) {
			this.times[i] = (i == 0) ? from.time() : from.timeFrom(this.times[i - 1]);
		}
	}

}
