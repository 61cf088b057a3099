package io.github.ratelimit.algorithm;

import java.util.Arrays;

/**
 * Newest takes of a bucket, the time of each and what was missing just before it, from
 * which a call can be settled exactly that was counted before other calls.
 *
 * <p>
 * Had a call taken less by some units, as many fewer would be missing since, but never
 * less than nothing. So the difference is at most the least that was missing at any time
 * since. What is missing decreases between takes, so that was just before one of the
 * later takes, or is so now. Had the call taken more, as many more would be missing,
 * unless the bucket has been full by now: then nothing of the call counts any more. Both
 * also change what was missing before the later takes, for calls that are settled next.
 *
 * <p>
 * Amounts are exact: a rounded one could not be distinguished from nothing, and a debt
 * would count in full after a bucket that was full. Takes at the same time are one take:
 * nothing was refilled in between, so at least the cost of the first call was missing
 * before the next one.
 */
final class RecentTakes {

	private static final int MOST = 64;

	/** Bound on the fineness of any rate. */
	private static final long FINEST = 1L << 45;

	private long[] times = {};

	private Missing[] missing = {};

	private long fineness = 1;

	/** Convert all amounts to the fineness of another rate. */
	void convertTo(long changed) {
		if (this.fineness != changed) {
			for (int i = 0; i < this.missing.length; i++) {
				this.missing[i] = this.missing[i].convert(this.fineness, changed);
			}
			this.fineness = changed;
		}
	}

	/**
	 * Add a take. One from a full bucket is the first that matters.
	 * @param time its time, not before that of the last one
	 */
	void add(long time, Missing missingBefore) {
		if (missingBefore.isNothing()) {
			clear();
		}
		int size = this.times.length;
		if (size == 0 || this.times[size - 1] != time) {
			int dropped = (size == MOST) ? 1 : 0;
			this.times = Arrays.copyOfRange(this.times, dropped, size + 1);
			this.missing = Arrays.copyOfRange(this.missing, dropped, size + 1);
			this.times[size - dropped] = time;
			this.missing[size - dropped] = missingBefore;
		}
	}

	/**
	 * Return whether all takes after a time are recorded, or the bucket has certainly
	 * been full since.
	 */
	boolean reachBackTo(long countedAt) {
		return this.times.length > 0 && (this.times[0] <= countedAt || this.missing[0].isNothing());
	}

	/** Refund units of a call, and return how many of them still count. */
	Missing refund(long countedAt, long units) {
		Missing left = new Missing(units, 0);
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > countedAt) {
				left = this.missing[i].orLess(left);
				this.missing[i] = this.missing[i].minus(left, this.fineness);
			}
		}
		return left;
	}

	/**
	 * Count units that a call owes.
	 * @param now the time of the clock; later takes are those of waiting calls
	 * @return {@code false} if the bucket has been full since, so that nothing changes
	 */
	boolean owe(long countedAt, long units, long now) {
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > countedAt && this.times[i] <= now && this.missing[i].isNothing()) {
				return false;
			}
		}
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > countedAt) {
				this.missing[i] = this.missing[i].plus(units, Count.MOST_OWED);
			}
		}
		return true;
	}

	void clear() {
		this.times = new long[0];
		this.missing = new Missing[0];
	}

	RecentTakes copy() {
		RecentTakes copy = new RecentTakes();
		copy.times = this.times.clone();
		copy.missing = this.missing.clone();
		copy.fineness = this.fineness;
		return copy;
	}

	void write(StateOutput to) {
		to.number(this.fineness);
		to.number(this.times.length);
		for (int i = 0; i < this.times.length; i++) {
			to.number(this.times[i]);
			to.number(this.missing[i].used());
			to.number(this.missing[i].earned());
		}
	}

	void read(StateInput from) {
		this.fineness = from.number(1, FINEST);
		this.times = new long[from.count()];
		from.check(this.times.length <= MOST);
		this.missing = new Missing[this.times.length];
		for (int i = 0; i < this.times.length; i++) {
			this.times[i] = from.time();
			this.missing[i] = new Missing(from.units(), from.number(0, this.fineness - 1));
		}
	}

}
