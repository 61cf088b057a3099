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
 * If an admitted call has other sub-windows or the clock is set back, each count moves to
 * the sub-window that contains the latest moment at which its units can have been
 * admitted: the end of its old sub-window, or {@code newest} for the first one. So units
 * expire late rather than early. Expired units do not return. For a call with other
 * sub-windows, a count ends when it does so in its own one or in that of the call.
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

	private long length = 1;

	private int segments;

	private long[] counts = {};

	private SlidingWindow read = this;

	private long newer;

	private long used;

	/**
	 * The advanced counts are those of {@code read}, behind {@code newer} empty
	 * sub-windows.
	 */
	@Override
	void advance(Limit limit) {
		if (this.counts.length == 0) {
			this.length = length(limit);
			this.segments = limit.segments();
			this.newest = this.now;
		}
		this.corrected = this.newest > this.at;
		boolean fits = !this.corrected && this.counts.length > 0;
		read(fits ? this : moved(this.length, this.segments, this.newest - Math.min(this.newest, this.at)));
	}

	private void read(SlidingWindow counted) {
		this.read = counted;
		this.newer = this.read.number(this.at) - this.read.number(this.read.newest);
		this.used = 0;
		for (int age = 0; age < this.read.live(); age++) {
			this.used += count(age);
		}
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		long excess = used(limit) + cost - limit.max();
		int age = oldest(limit) + 1;
		if (excess <= 0) {
			return 0;
		}
		while (excess > 0) {
			age--;
			excess -= count(age);
		}
		return leavesAfter(limit, age);
	}

	/** Return the age of the oldest count that a call sees. */
	private int oldest(Limit limit) {
		int age = this.read.live() - 1;
		while (!isCutAlike(limit) && age >= 0 && leavesAfter(limit, age) <= 0) {
			age--;
		}
		return age;
	}

	private boolean isCutAlike(Limit limit) {
		return this.read.length == length(limit) && this.read.segments == limit.segments();
	}

	@Override
	void convert(Limit limit) {
		if (!isCutAlike(limit)) {
			SlidingWindow moved = moved(length(limit), limit.segments(), 0);
			this.knownSince = (this.at > this.now) ? this.at : Math.max(this.knownSince, keptSince(moved));
			read(moved);
		}
	}

	/** Return the start of the oldest sub-window whose units other sub-windows keep. */
	private long keptSince(SlidingWindow moved) {
		long oldest = (moved.number(moved.newest) - moved.segments) * moved.length;
		return Math.max(number(this.at) - this.segments, number(oldest)) * this.length;
	}

	@Override
	void take(Limit limit, long cost) {
		write(liveByClock());
		this.counts[0] += cost;
		this.used += cost;
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		write(liveByClock());
		long left = (to < this.knownSince) ? 0 : cost;
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
		int over = Math.min(newestAge(this.counts.length), this.counts.length - live());
		this.newest = Math.max(this.now, Math.max(this.knownSince, (number(this.at) - over) * this.length));
		this.counts = Arrays.copyOfRange(this.counts, (int) (number(this.at) - number(this.newest)),
				this.counts.length);
		return this.newest;
	}

	@Override
	boolean owe(long units, long countedAt, boolean first) {
		long age = this.read.number(this.at) - this.read.number(countedAt);
		if (age >= kept(liveByClock()) || !first && countedAt < this.knownSince) {
			return false;
		}
		write(liveByClock());
		long others = Arrays.stream(this.counts).sum() - this.counts[(int) age];
		this.counts[(int) age] = owed(this.counts[(int) age], units, MOST_OWED - others);
		return true;
	}

	@Override
	void correct() {
		write(liveByClock());
	}

	@Override
	public Count copy() {
		SlidingWindow copy = (SlidingWindow) super.copy();
		copy.counts = this.counts.clone();
		copy.read = copy;
		return copy;
	}

	@Override
	long used(Limit limit) {
		if (isCutAlike(limit)) {
			return this.used;
		}
		long units = 0;
		for (int age = oldest(limit); age >= 0; age--) {
			units += count(age);
		}
		return units;
	}

	@Override
	long resetAfter() {
		return (this.used == 0) ? 0 : leavesAfter(newestAge(this.read.live()));
	}

	@Override
	void clear() {
		this.counts = new long[0];
	}

	/** Store the advanced counts, so many at most. */
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
	 * Return the counts in other sub-windows or at an earlier time. Units that have
	 * expired do not return. A sub-window holds as many as one with debts.
	 */
	private SlidingWindow moved(long length, int segments, long back) {
		SlidingWindow moved = new SlidingWindow();
		moved.newest = this.newest - back;
		moved.length = length;
		moved.segments = segments;
		moved.counts = new long[moved.live()];
		for (int i = 0; i < this.counts.length; i++) {
			long age = moved.number(moved.newest) - moved.number(latest(i) - back);
			boolean left = back == 0 && number(this.at) - number(this.newest) + i > this.segments;
			if (!left && age < moved.counts.length) {
				moved.counts[(int) age] = Math.min(MOST_OWED, moved.counts[(int) age] + this.counts[i]);
			}
		}
		return moved;
	}

	/** Return the latest time at which units of a stored count may have been admitted. */
	private long latest(int i) {
		return (i == 0) ? this.newest : (number(this.newest) - i + 1) * this.length - 1;
	}

	private long count(long age) {
		long[] known = this.read.counts;
		long behind = age - this.newer;
		return (behind >= 0 && behind < known.length) ? known[(int) behind] : 0;
	}

	/** Return the age of the newest count above 0, or the number of counts to search. */
	private int newestAge(int among) {
		int age = 0;
		while (age < among && count(age) == 0) {
			age++;
		}
		return age;
	}

	private long leavesAfter(int age) {
		return (this.read.number(this.at) - age + this.read.live()) * this.read.length - this.at;
	}

	/** Return when a count ends for a call, 0 or less if it has ended. */
	private long leavesAfter(Limit limit, int age) {
		if (isCutAlike(limit) || age < this.newer) {
			return leavesAfter(age);
		}
		long length = length(limit);
		long moment = this.read.latest((int) (age - this.newer));
		long end = (Math.floorDiv(moment, length) + limit.segments() + 1) * length;
		return Math.min(leavesAfter(age), end - this.at);
	}

	private long number(long time) {
		return Math.floorDiv(time, this.length);
	}

	private static long length(Limit limit) {
		return -Math.floorDiv(-limit.periodMicros(), limit.segments());
	}

	/** Return the number of sub-windows that count. */
	private int live() {
		return this.segments + 1;
	}

	/** Return the number of sub-windows that have not expired by the clock. */
	private int liveByClock() {
		long waiting = this.read.number(this.at) - this.read.number(this.now);
		return this.read.live() + (int) Math.min(waiting, KEPT_PERIODS * this.read.segments);
	}

	@Override
	void write(StateOutput to) {
		to.number(this.newest);
		to.number(this.length);
		to.number(this.segments);
		to.number(this.counts.length);
		for (long count : this.counts) {
			to.number(count);
		}
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.newest = from.time();
		this.length = from.period();
		this.segments = (int) from.number(1, Limit.MAX_SEGMENTS);
		this.counts = new long[from.count()];
		for (int i = 0; i < this.counts.length; i++) {
			this.counts[i] = from.units();
		}
	}

}
