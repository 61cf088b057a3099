package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.Rate;

/**
 * The units admitted in the window that the time {@code newest} of the last admission
 * lies in, and those admitted in the window before. Windows are one period long and begin
 * at the multiples of the period.
 *
 * <p>
 * {@code previous} drains evenly over the current window: after {@code elapsed} of it
 * {@code previous * (period - elapsed) / period} units still weigh. A call is admitted
 * when {@code current}, this weight and its cost together are at most {@code max}. Since
 * {@code max}, {@code current} and the cost are whole, rounding the weight up decides the
 * same.
 *
 * <p>
 * The time of the last admission says more than the beginning of its window would. When
 * the clock was set back to an earlier window, it tells how much weighed in the end: that
 * much moves to the window of now and counts as if admitted now. Kept as
 * {@code previous}, most of it would be granted again by a clock that is set back from
 * the beginning of a window to the end of the one before. When the period changed, it
 * tells in which of the new windows {@code current} lies.
 */
final class WeightedWindow implements LimitState {

	private long newest;

	private long current;

	private long previous;

	private boolean movedBack;

	@Override
	public long retryAfter(Limit limit, long cost, long now) {
		if (cost > limit.max()) {
			return NEVER;
		}
		WeightedWindow window = at(limit, now);
		long elapsed = now % limit.periodMicros();
		long room = limit.max() - window.current - cost;
		if (room < 0) {
			return limit.periodMicros() - elapsed + drained(limit, window.current, limit.max() - cost);
		}
		return Math.max(0, drained(limit, window.previous, room) - elapsed);
	}

	@Override
	public void take(Limit limit, long cost, long slot, long now) {
		become(at(limit, slot));
		this.current += cost;
	}

	@Override
	public long giveBack(Limit limit, long cost, long slot, long judged, long now) {
		become(at(limit, judged));
		long beginning = judged - judged % limit.periodMicros();
		long units = (slot < beginning) ? 0 : Math.min(cost, this.current);
		this.current -= units;
		this.previous -= Math.min(cost - units, this.previous);
		this.newest = Math.max(now, beginning);
		return this.newest;
	}

	@Override
	public boolean settle(Limit limit, long now) {
		WeightedWindow window = at(limit, now);
		if (window.movedBack) {
			become(window);
		}
		return window.movedBack;
	}

	@Override
	public long remaining(Limit limit, long now) {
		WeightedWindow window = at(limit, now);
		return Math.max(0, limit.max() - window.used(limit));
	}

	@Override
	public long resetAfter(Limit limit, long now) {
		WeightedWindow window = at(limit, now);
		long rest = limit.periodMicros() - now % limit.periodMicros();
		if (window.current > 0) {
			return rest + limit.periodMicros();
		}
		return (window.previous > 0) ? rest : 0;
	}

	/**
	 * The same counts told as of now: those of older windows are over, and nothing is in
	 * a later one.
	 */
	private WeightedWindow at(Limit limit, long now) {
		WeightedWindow window = new WeightedWindow();
		window.newest = now;
		window.movedBack = this.newest > now;
		long windows = now / limit.periodMicros() - this.newest / limit.periodMicros();
		if (windows < 0) {
			window.current = Math.min(limit.max(), used(limit));
		}
		else if (windows == 0) {
			window.current = this.current;
			window.previous = this.previous;
		}
		else if (windows == 1) {
			window.previous = this.current;
		}
		return window;
	}

	/**
	 * What counts at {@code newest}, rounded up.
	 */
	private long used(Limit limit) {
		long elapsed = this.newest % limit.periodMicros();
		return this.current + this.previous - Rate.of(this.previous, limit.periodMicros()).unitsIn(elapsed);
	}

	/**
	 * From which time of a window on no more than {@code room} of the units of the window
	 * before it weigh.
	 */
	private static long drained(Limit limit, long before, long room) {
		return (before <= room) ? 0 : Rate.of(before, limit.periodMicros()).microsFor(before - room);
	}

	private void become(WeightedWindow window) {
		this.newest = window.newest;
		this.current = window.current;
		this.previous = window.previous;
	}

}
