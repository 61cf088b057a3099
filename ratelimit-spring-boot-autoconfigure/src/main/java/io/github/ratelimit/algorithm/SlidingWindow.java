package io.github.ratelimit.algorithm;

import java.util.Arrays;

import io.github.ratelimit.Limit;

/**
 * The units admitted in each sub-window, newest first: the first count is that of the
 * sub-window which the time {@code newest} of the last admission lies in. Sub-windows are
 * one {@code length} long, the period divided by the number of segments and rounded up,
 * and begin at the multiples of it. A call is admitted when the count of the current
 * sub-window, those of the {@code segments} before it, and its cost together are at most
 * {@code max}. Only part of the oldest of them still lies in the period, but it counts
 * whole.
 *
 * <p>
 * When the length changed or the clock was set back, each count moves as if all of it had
 * been admitted at the newest moment at which it can have been: the end of its
 * sub-window, and {@code newest} for the first. So the counts leave late rather than
 * early.
 *
 * <p>
 * While calls wait, the counts that are over when the last of them goes on, but not yet
 * by the clock, are kept behind the others. They count again when waiting calls are given
 * back and their turn is free. Those of ten periods are kept; the turn of a call that
 * waits for longer is not free at once.
 */
final class SlidingWindow implements LimitState {

	private static final int KEPT_PERIODS = 10;

	private long newest;

	private long length;

	private int segments;

	private long[] counts = {};

	@Override
	public long retryAfter(Limit limit, long cost, long now) {
		if (cost > limit.max()) {
			return NEVER;
		}
		SlidingWindow window = at(limit, now, live(limit));
		long excess = window.used(limit) + cost - limit.max();
		int age = live(limit);
		while (excess > 0) {
			age--;
			excess -= window.counts[age];
		}
		return (age == live(limit)) ? 0 : window.leavesAfter(limit, age);
	}

	@Override
	public void take(Limit limit, long cost, long slot, long now) {
		become(at(limit, slot, liveByClock(limit, slot, now)));
		this.counts[0] += cost;
	}

	@Override
	public long giveBack(Limit limit, long cost, long slot, long judged, long now) {
		become(at(limit, judged, liveByClock(limit, judged, now)));
		long left = cost;
		for (long age = number(judged) - number(slot); age < this.counts.length && left > 0; age++) {
			long units = Math.min(left, this.counts[(int) age]);
			this.counts[(int) age] -= units;
			left -= units;
		}
		int over = Math.min(newestAge(this.counts.length), this.counts.length - live(limit));
		this.newest = Math.max(now, (number(judged) - over) * this.length);
		this.counts = Arrays.copyOfRange(this.counts, (int) (number(judged) - number(this.newest)), this.counts.length);
		return this.newest;
	}

	@Override
	public boolean settle(Limit limit, long now) {
		if (this.newest <= now) {
			return false;
		}
		become(at(limit, now, live(limit)));
		return true;
	}

	@Override
	public long remaining(Limit limit, long now) {
		return Math.max(0, limit.max() - at(limit, now, live(limit)).used(limit));
	}

	@Override
	public long resetAfter(Limit limit, long now) {
		SlidingWindow window = at(limit, now, live(limit));
		int age = window.newestAge(live(limit));
		return (age == live(limit)) ? 0 : window.leavesAfter(limit, age);
	}

	/**
	 * The same counts told as of now.
	 * @param most how many to keep at most
	 */
	private SlidingWindow at(Limit limit, long now, int most) {
		boolean fits = this.length == length(limit) && this.segments == limit.segments() && this.newest <= now;
		SlidingWindow base = fits ? this : moved(limit, now);
		SlidingWindow window = new SlidingWindow();
		window.newest = now;
		window.length = base.length;
		window.segments = base.segments;
		long newer = base.number(now) - base.number(base.newest);
		window.counts = new long[(int) Math.min(most, newer + base.counts.length)];
		if (newer < window.counts.length) {
			System.arraycopy(base.counts, 0, window.counts, (int) newer,
					Math.min(base.counts.length, window.counts.length - (int) newer));
		}
		return window;
	}

	/**
	 * The same counts in the sub-windows of another limit, or of an earlier time.
	 */
	private SlidingWindow moved(Limit limit, long now) {
		long back = Math.max(0, this.newest - now);
		SlidingWindow moved = new SlidingWindow();
		moved.newest = this.newest - back;
		moved.length = length(limit);
		moved.segments = limit.segments();
		moved.counts = new long[live(limit)];
		long moment = this.newest;
		for (int i = 0; i < this.counts.length; i++) {
			long age = moved.number(moved.newest) - moved.number(moment - back);
			if (age < moved.counts.length) {
				moved.counts[(int) age] += this.counts[i];
			}
			moment = (number(this.newest) - i) * this.length - 1;
		}
		return moved;
	}

	private long used(Limit limit) {
		long used = 0;
		for (int age = 0; age < live(limit); age++) {
			used += this.counts[age];
		}
		return used;
	}

	/**
	 * The age of the newest count that is not 0, among so many.
	 */
	private int newestAge(int among) {
		int age = 0;
		while (age < among && this.counts[age] == 0) {
			age++;
		}
		return age;
	}

	private long leavesAfter(Limit limit, int age) {
		return (number(this.newest) - age + live(limit)) * this.length - this.newest;
	}

	private long number(long time) {
		return Math.floorDiv(time, this.length);
	}

	private void become(SlidingWindow window) {
		this.newest = window.newest;
		this.length = window.length;
		this.segments = window.segments;
		this.counts = window.counts;
	}

	private static long length(Limit limit) {
		return -Math.floorDiv(-limit.periodMicros(), limit.segments());
	}

	/**
	 * How many sub-windows count.
	 */
	private static int live(Limit limit) {
		return limit.segments() + 1;
	}

	/**
	 * How many sub-windows count at the time of the clock, or will until {@code judged}.
	 */
	private static int liveByClock(Limit limit, long judged, long now) {
		long waiting = judged / length(limit) - now / length(limit);
		return live(limit) + (int) Math.min(waiting, KEPT_PERIODS * limit.segments());
	}

}
