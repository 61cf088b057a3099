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
 * the beginning of a window to the end of the one before.
 *
 * <p>
 * When the period changed, the windows are cut anew, and of {@code previous} only what
 * still weighs is left. Units lie in the window that holds the newest moment at which
 * they can have been admitted: {@code newest}, or the end of the window before. When the
 * period became longer, none of them comes back by that: {@code current} stays, and
 * {@code previous} is as large as it has to be to weigh as much as before.
 */
final class WeightedWindow extends Count {

	private long newest;

	private long storedCurrent;

	private long storedPrevious;

	private long elapsed;

	private long current;

	private long previous;

	private long storedPeriod;

	private boolean corrected;

	@Override
	void tell(Limit limit) {
		long period = (this.storedPeriod > 0) ? this.storedPeriod : limit.periodMicros();
		tell(limit, period);
		this.corrected = this.newest > this.at;
		if (period != limit.periodMicros()) {
			long rest = weight(period, 0, this.previous, this.at);
			long before = this.at - this.elapsed;
			this.elapsed = this.at % limit.periodMicros();
			if (period < limit.periodMicros()) {
				lengthen(limit, rest, before);
			}
			else {
				shorten(limit, rest, Math.min(this.newest, before - 1));
			}
		}
	}

	/**
	 * The counts of older windows are over, and nothing is in a later one.
	 */
	private void tell(Limit limit, long period) {
		this.elapsed = this.at % period;
		this.current = 0;
		this.previous = 0;
		long windows = this.at / period - this.newest / period;
		if (windows < 0) {
			this.current = Math.min(limit.max(), weight(period, this.storedCurrent, this.storedPrevious, this.newest));
		}
		else if (windows == 0) {
			this.current = this.storedCurrent;
			this.previous = this.storedPrevious;
		}
		else if (windows == 1) {
			this.previous = this.storedCurrent;
		}
	}

	/**
	 * Keep what counts in windows that are longer than before.
	 * @param rest what is left of the previous window
	 * @param before the beginning of the current window as it was
	 */
	private void lengthen(Limit limit, long rest, long before) {
		this.corrected |= this.current + rest > 0;
		if (before > this.at - this.elapsed) {
			this.current += rest;
			this.previous = 0;
		}
		else if (weight(limit.periodMicros(), 0, this.previous, this.at) > rest) {
			this.previous = previousOf(limit, rest);
		}
	}

	/**
	 * Keep what lies in the current window or in the one before, which are shorter now.
	 * @param rest what is left of the previous window
	 * @param restAt the newest moment at which that can have been admitted
	 */
	private void shorten(Limit limit, long rest, long restAt) {
		long beginning = this.at - this.elapsed;
		long before = beginning - limit.periodMicros();
		long units = this.current;
		long unitsAt = Math.min(this.newest, this.at);
		this.current = ((unitsAt >= beginning) ? units : 0) + ((restAt >= beginning) ? rest : 0);
		this.previous = ((unitsAt < beginning && unitsAt >= before) ? units : 0)
				+ ((restAt < beginning && restAt >= before) ? rest : 0);
	}

	/**
	 * How many units of the previous window weigh as much as some units now.
	 */
	private long previousOf(Limit limit, long weight) {
		return (weight == 0) ? 0 : Rate.of(weight, limit.periodMicros() - this.elapsed).unitsIn(limit.periodMicros());
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
		store(limit, this.at);
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
		store(limit, Math.max(this.now, Math.min(this.at, end)));
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
			this.previous = previousOf(limit, counted(limit) - units);
			this.current = units;
			store(limit, this.at);
		}
	}

	@Override
	boolean correct(Limit limit) {
		if (!this.corrected) {
			return false;
		}
		store(limit, this.at);
		this.corrected = false;
		return true;
	}

	@Override
	void follow(Limit limit) {
		if (this.storedPeriod != limit.periodMicros()) {
			store(limit, this.at);
		}
	}

	@Override
	long room(Limit limit) {
		return Math.max(0, limit.max() - weight(limit.periodMicros(), this.current, this.previous, this.at));
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
	private static long weight(long period, long current, long previous, long time) {
		return current + previous - Rate.floorOfProduct(time % period, previous, period);
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
		this.storedPeriod = 0;
	}

	private void store(Limit limit, long time) {
		this.storedPeriod = limit.periodMicros();
		this.newest = time;
		this.storedCurrent = this.current;
		this.storedPrevious = this.previous;
	}

}
