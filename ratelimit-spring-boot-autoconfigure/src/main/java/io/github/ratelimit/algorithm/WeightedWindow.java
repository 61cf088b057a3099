package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;

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
final class WeightedWindow extends Count {

	private long newest;

	private long storedCurrent;

	private long storedPrevious;

	private long elapsed;

	private long current;

	private long previous;

	private boolean movedBack;

	/**
	 * The counts of older windows are over, and nothing is in a later one.
	 */
	@Override
	void tell(Limit limit) {
		this.elapsed = this.at % limit.periodMicros();
		this.movedBack = this.newest > this.at;
		this.current = 0;
		this.previous = 0;
		long windows = this.at / limit.periodMicros() - this.newest / limit.periodMicros();
		if (windows < 0) {
			this.current = Math.min(limit.max(), weight(limit, this.storedCurrent, this.storedPrevious, this.newest));
		}
		else if (windows == 0) {
			this.current = this.storedCurrent;
			this.previous = this.storedPrevious;
		}
		else if (windows == 1) {
			this.previous = this.storedCurrent;
		}
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		long room = limit.max() - this.current - cost;
		if (room < 0) {
			return limit.periodMicros() - this.elapsed + drained(limit, this.current, limit.max() - cost);
		}
		return Math.max(0, drained(limit, this.previous, room) - this.elapsed);
	}

	@Override
	void add(Limit limit, long cost) {
		this.current += cost;
		store(this.at);
	}

	@Override
	long takeOut(Limit limit, long cost, long from, long to) {
		long beginning = this.at - this.elapsed;
		boolean mayWait = mayWait(from, to);
		long units = (to < beginning || mayWait) ? 0 : Math.min(cost, this.current);
		this.current -= units;
		if (from < beginning && to >= beginning - (mayWait ? 0 : limit.periodMicros())) {
			this.previous -= Math.min(cost - units, this.previous);
		}
		long end = (from > this.now) ? Math.max(this.now, beginning + turn(limit)) : this.at;
		store(Math.max(this.now, Math.min(this.at, end)));
		return this.newest;
	}

	/**
	 * From which time of this window on there was room for what it holds: a call that
	 * waited for this window went on just then.
	 */
	private long turn(Limit limit) {
		return (this.current == 0) ? 0 : drained(limit, this.previous, Math.max(0, limit.max() - this.current));
	}

	/**
	 * What moves to the current window leaves as much of the previous one as weighs the
	 * rest.
	 */
	@Override
	void renewNewest(Limit limit, long units) {
		if (units > this.current) {
			long rest = counted(limit) - units;
			this.previous = (rest == 0) ? 0
					: Rate.of(rest, limit.periodMicros() - this.elapsed).unitsIn(limit.periodMicros());
			this.current = units;
			store(this.at);
		}
	}

	@Override
	boolean correct(Limit limit) {
		if (this.movedBack) {
			store(this.at);
		}
		return this.movedBack;
	}

	@Override
	long room(Limit limit) {
		return Math.max(0, limit.max() - weight(limit, this.current, this.previous, this.at));
	}

	@Override
	long untilUnused(Limit limit) {
		long rest = limit.periodMicros() - this.elapsed;
		if (this.current > 0) {
			return rest + limit.periodMicros();
		}
		return (this.previous > 0) ? rest : 0;
	}

	/**
	 * What counts at a time of the current window, rounded up.
	 */
	private static long weight(Limit limit, long current, long previous, long time) {
		long elapsed = time % limit.periodMicros();
		return current + previous - Rate.floorOfProduct(elapsed, previous, limit.periodMicros());
	}

	/**
	 * From which time of a window on no more than {@code room} of the units of the window
	 * before it weigh.
	 */
	private static long drained(Limit limit, long before, long room) {
		return (before <= room) ? 0 : Rate.of(before, limit.periodMicros()).microsFor(before - room);
	}

	@Override
	void clear() {
		this.newest = 0;
		this.storedCurrent = 0;
		this.storedPrevious = 0;
	}

	private void store(long time) {
		this.newest = time;
		this.storedCurrent = this.current;
		this.storedPrevious = this.previous;
	}

}
