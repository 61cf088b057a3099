package io.github.ratelimit.algorithm;

import java.util.Arrays;

import io.github.ratelimit.Limit;

/**
 * Units admitted in each sub-window, newest first. The first count is that of the
 * sub-window of the last admission, at {@code newest}. A sub-window has the length
 * {@code period / segments}, rounded up, and begins at a multiple of it. A call is
 * admitted if the counts of the current sub-window and of the {@code segments} before it,
 * and its cost, together are at most {@code max}. The oldest of these sub-windows lies in
 * the period only in part, but counts whole.
 *
 * <p>
 * If the length changes or the clock is set back, each count moves to the sub-window that
 * contains the latest moment at which its units can have been admitted: the end of its
 * old sub-window, or {@code newest} for the first one. So units expire late rather than
 * early. Expired units do not return.
 *
 * <p>
 * While calls wait, counts are kept that expire before the last call goes on but have not
 * expired by the clock. They count again if waiting calls are refunded and their turn
 * becomes free. At most ten periods are kept; the turn of a call that waits longer does
 * not become free at once.
 */
final class SlidingWindow extends Count {

	private static final int KEPT_PERIODS = 10;

	private long newest;

	private long length;

	private int segments;

	private long[] counts = {};

	private SlidingWindow read = this;

	private long newer;

	private long used;

	private boolean corrected;

	/**
	 * The advanced counts are those of {@code read}, behind {@code newer} empty
	 * sub-windows.
	 */
	@Override
	void advance(Limit limit) {
		boolean fits = this.length == length(limit) && this.segments == limit.segments() && this.newest <= this.at;
		this.read = fits ? this : moved(limit);
		this.corrected = this.newest > this.at || !fits && countsLonger(limit);
		this.newer = this.read.number(this.at) - this.read.number(this.read.newest);
		this.used = 0;
		for (int age = 0; age < live(limit); age++) {
			this.used += count(age);
		}
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		long excess = this.used + cost - limit.max();
		int age = live(limit);
		while (excess > 0) {
			age--;
			excess -= count(age);
		}
		return (age == live(limit)) ? 0 : leavesAfter(limit, age);
	}

	@Override
	void take(Limit limit, long cost) {
		write(liveByClock(limit));
		this.counts[0] += cost;
		this.used += cost;
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		write(liveByClock(limit));
		long left = cost;
		long oldest = Math.min(this.counts.length - 1L, number(this.at) - number(from));
		long newest = number(to) - (mayWait(from, to) ? 1 : 0);
		for (long age = number(this.at) - newest; age <= oldest && left > 0; age++) {
			long units = Math.min(left, this.counts[(int) age]);
			this.counts[(int) age] -= units;
			left -= units;
		}
		if (from <= this.now) {
			return this.at;
		}
		int over = Math.min(newestAge(this.counts.length), this.counts.length - live(limit));
		this.newest = Math.max(this.now, (number(this.at) - over) * this.length);
		this.counts = Arrays.copyOfRange(this.counts, (int) (number(this.at) - number(this.newest)),
				this.counts.length);
		return this.newest;
	}

	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		long age = this.read.number(this.at) - this.read.number(slot);
		if (age >= kept(liveByClock(limit))) {
			return false;
		}
		write(liveByClock(limit));
		long others = Arrays.stream(this.counts).sum() - this.counts[(int) age];
		this.counts[(int) age] = owed(this.counts[(int) age], units, MOST_OWED - others);
		return true;
	}

	@Override
	void renewNewest(Limit limit, long units) {
		write(liveByClock(limit));
		for (int age = 1; age < this.counts.length && this.counts[0] < units; age++) {
			long renewed = Math.min(units - this.counts[0], this.counts[age]);
			this.counts[age] -= renewed;
			this.counts[0] += renewed;
		}
	}

	@Override
	boolean correct(Limit limit) {
		if (this.corrected) {
			write(liveByClock(limit));
			this.corrected = false;
			return true;
		}
		return false;
	}

	@Override
	void follow(Limit limit) {
		if (this.read != this) {
			write(liveByClock(limit));
		}
	}

	/**
	 * Return whether units may count for longer than by the limit they were counted by.
	 */
	private boolean countsLonger(Limit limit) {
		return live(limit) * length(limit) > this.segments * this.length
				&& Arrays.stream(this.read.counts).anyMatch((units) -> units > 0);
	}

	@Override
	public Count copy() {
		SlidingWindow copy = (SlidingWindow) super.copy();
		copy.counts = this.counts.clone();
		copy.read = copy;
		return copy;
	}

	@Override
	long remaining(Limit limit) {
		return Math.max(0, limit.max() - this.used);
	}

	@Override
	boolean evolvesAlike(Limit limit, Limit other) {
		return length(limit) == length(other) && limit.segments() == other.segments();
	}

	@Override
	long used(Limit limit) {
		return this.used;
	}

	@Override
	long resetAfter(Limit limit) {
		return (this.used == 0) ? 0 : leavesAfter(limit, newestAge(live(limit)));
	}

	@Override
	void clear() {
		this.newest = 0;
		this.length = 0;
		this.counts = new long[0];
	}

	/**
	 * Store the advanced counts.
	 * @param most the largest number of counts to keep
	 */
	private void write(int most) {
		long[] known = this.read.counts;
		int kept = kept(most);
		int empty = (int) Math.min(kept, this.newer);
		this.counts = (known.length == kept) ? known : new long[kept];
		System.arraycopy(known, 0, this.counts, empty, Math.min(known.length, kept - empty));
		Arrays.fill(this.counts, 0, empty, 0);
		this.newest = this.at;
		this.length = this.read.length;
		this.segments = this.read.segments;
		this.read = this;
		this.newer = 0;
	}

	private int kept(int most) {
		return (int) Math.min(most, this.newer + this.read.counts.length);
	}

	/**
	 * Return the counts in the sub-windows of another limit or of an earlier time.
	 */
	private SlidingWindow moved(Limit limit) {
		long back = Math.max(0, this.newest - this.at);
		SlidingWindow moved = new SlidingWindow();
		moved.newest = this.newest - back;
		moved.length = length(limit);
		moved.segments = limit.segments();
		moved.counts = new long[live(limit)];
		long moment = this.newest;
		for (int i = 0; i < this.counts.length; i++) {
			long age = moved.number(moved.newest) - moved.number(moment - back);
			boolean left = back == 0 && number(this.now) - number(this.newest) + i > this.segments;
			if (!left && age < moved.counts.length) {
				moved.counts[(int) age] += this.counts[i];
			}
			moment = (number(this.newest) - i) * this.length - 1;
		}
		return moved;
	}

	private long count(long age) {
		long[] known = this.read.counts;
		long behind = age - this.newer;
		return (behind >= 0 && behind < known.length) ? known[(int) behind] : 0;
	}

	/**
	 * Return the age of the newest count that is not 0, or the number of counts to
	 * search.
	 */
	private int newestAge(int among) {
		int age = 0;
		while (age < among && count(age) == 0) {
			age++;
		}
		return age;
	}

	private long leavesAfter(Limit limit, int age) {
		long length = this.read.length;
		return (Math.floorDiv(this.at, length) - age + live(limit)) * length - this.at;
	}

	private long number(long time) {
		return Math.floorDiv(time, this.length);
	}

	private static long length(Limit limit) {
		return -Math.floorDiv(-limit.periodMicros(), limit.segments());
	}

	/**
	 * Return the number of sub-windows that count.
	 */
	private static int live(Limit limit) {
		return limit.segments() + 1;
	}

	/**
	 * Return the number of sub-windows that have not expired by the clock.
	 */
	private int liveByClock(Limit limit) {
		long waiting = this.at / length(limit) - this.now / length(limit);
		return live(limit) + (int) Math.min(waiting, KEPT_PERIODS * limit.segments());
	}

}
