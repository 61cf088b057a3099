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
 * unless the bucket was full in between: then nothing of the call counts any more. Both
 * also change what was missing before the later takes, for calls that are settled next.
 *
 * <p>
 * Amounts are in half units: whole units twice, and one more for a part of a unit, which
 * is not refunded. Takes at the same time are one take: nothing was refilled in between,
 * so at least the cost of the first call was missing before the next one.
 */
final class RecentTakes {

	private static final int MOST = 64;

	private static final long MOST_MISSING = 2 * LimitState.MOST_OWED;

	private long[] times = {};

	private long[] missing = {};

	/**
	 * Add a take. One from a full bucket is the first that matters.
	 * @param time its time, not before that of the last one
	 * @param missingBefore what was missing before, in half units
	 */
	void add(long time, long missingBefore) {
		if (missingBefore == 0) {
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
	boolean reachBackTo(long slot) {
		return this.times.length > 0 && (this.times[0] <= slot || this.missing[0] == 0);
	}

	/**
	 * Refund units of a call.
	 * @param slot its time
	 * @return how many of the units still count
	 */
	long refund(long slot, long units) {
		long left = units;
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > slot) {
				left = Math.min(left, this.missing[i] / 2);
				this.missing[i] -= 2 * left;
			}
		}
		return left;
	}

	/**
	 * Count units that a call owes.
	 * @param slot its time
	 * @return {@code false} if the bucket has been full since, so that nothing changes
	 */
	boolean owe(long slot, long units) {
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > slot && this.missing[i] == 0) {
				return false;
			}
		}
		for (int i = 0; i < this.times.length; i++) {
			if (this.times[i] > slot) {
				this.missing[i] = Math.min(MOST_MISSING, this.missing[i] + 2 * Math.min(units, LimitState.MOST_OWED));
			}
		}
		return true;
	}

	void clear() {
		this.times = new long[0];
		this.missing = new long[0];
	}

	RecentTakes copy() {
		RecentTakes copy = new RecentTakes();
		copy.times = this.times.clone();
		copy.missing = this.missing.clone();
		return copy;
	}

}
