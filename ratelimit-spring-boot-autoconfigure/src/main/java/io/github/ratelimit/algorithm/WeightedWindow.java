package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;

/**
 * Units admitted in the window of the last admission ({@code current}, last admitted at
 * {@code newest}), and in the window before ({@code previous}). Windows are one period
 * long and begin at multiples of the period.
 *
 * <p>
 * The weight of {@code previous} falls evenly over the current window: after
 * {@code elapsed} of it, it is {@code previous * (period - elapsed) / period}. A call is
 * admitted if {@code current}, this weight and its cost together are at most {@code max}.
 * These other numbers are whole, so rounding the weight up decides the same.
 *
 * <p>
 * If the clock is set back to an earlier window, the units that counted at {@code newest}
 * move to that window and count as if admitted now. As {@code previous}, most of them
 * would be granted again by a clock that is set back from the beginning of a window to
 * the end of the one before.
 *
 * <p>
 * If the period changes, {@code previous} is reduced to its weight, and the units move to
 * new windows. By a shorter period, they move to the window of the latest moment at which
 * they can have been admitted: {@code newest}, or the end of the window before. By a
 * longer period, none of them may expire with the change: {@code current} stays, and
 * {@code previous} becomes as large as necessary to keep its weight.
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
	void advance(Limit limit) {
		long period = (this.storedPeriod > 0) ? this.storedPeriod : limit.periodMicros();
		advanceBy(limit, period);
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
	 * Advance the counts in windows of a period. Counts of older windows have expired.
	 * Units of a later window count as if admitted now.
	 */
	private void advanceBy(Limit limit, long period) {
		this.elapsed = this.at % period;
		this.current = 0;
		this.previous = 0;
		long windows = this.at / period - this.newest / period;
		if (windows < 0) {
			this.current = weight(period, this.storedCurrent, this.storedPrevious, this.newest);
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
	 * Move the units to windows that are longer than before.
	 * @param rest the weight of the previous window
	 * @param before the beginning of the current window by the shorter period
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
	 * Move the units to windows that are shorter than before.
	 * @param rest the weight of the previous window
	 * @param restAt the latest moment at which that can have been admitted
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
	 * Return the number of previous units that have this weight now.
	 */
	private long previousOf(Limit limit, long weight) {
		return (weight == 0) ? 0 : Rate.of(weight, limit.periodMicros() - this.elapsed).unitsIn(limit.periodMicros());
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.max()) {
			return NEVER;
		}
		long remaining = limit.max() - this.current - cost;
		if (remaining < 0) {
			return limit.periodMicros() - this.elapsed + drained(limit, this.current, limit.max() - cost);
		}
		return Math.max(0, drained(limit, this.previous, remaining) - this.elapsed);
	}

	@Override
	void take(Limit limit, long cost) {
		this.current += cost;
		write(limit, this.at);
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		long beginning = this.at - this.elapsed;
		boolean mayWait = mayWait(from, to);
		long units = (to < beginning || mayWait) ? 0 : Math.min(cost, this.current);
		this.current -= units;
		if (from < beginning && to >= beginning - (mayWait ? 0 : limit.periodMicros())) {
			this.previous -= Math.min(cost - units, this.previous);
		}
		long end = (from > this.now) ? Math.max(this.now, beginning + turn(limit)) : this.at;
		write(limit, Math.max(this.now, Math.min(this.at, end)));
		return this.newest;
	}

	/**
	 * The units get the weight of the window in which the call was counted.
	 */
	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		long beginning = this.at - this.elapsed;
		if (slot >= beginning) {
			this.current = owed(this.current, units, MOST_OWED - this.previous);
		}
		else if (slot >= beginning - limit.periodMicros()) {
			this.previous = owed(this.previous, units, MOST_OWED - this.current);
		}
		else {
			return false;
		}
		write(limit, this.at);
		return true;
	}

	/**
	 * Return the time within this window from which on its units fit: a call that waited
	 * for this window went on just then.
	 */
	private long turn(Limit limit) {
		return (this.current == 0) ? 0 : drained(limit, this.previous, Math.max(0, limit.max() - this.current));
	}

	/**
	 * The units that move to the current window leave as many previous ones as have the
	 * weight of the rest.
	 */
	@Override
	void renewNewest(Limit limit, long units) {
		if (units > this.current) {
			this.previous = previousOf(limit, counted(limit) - units);
			this.current = units;
			write(limit, this.at);
		}
	}

	@Override
	boolean correct(Limit limit) {
		if (!this.corrected) {
			return false;
		}
		write(limit, this.at);
		this.corrected = false;
		return true;
	}

	@Override
	void follow(Limit limit) {
		if (this.storedPeriod != limit.periodMicros()) {
			write(limit, this.at);
		}
	}

	@Override
	long remaining(Limit limit) {
		return Math.max(0, limit.max() - weight(limit.periodMicros(), this.current, this.previous, this.at));
	}

	@Override
	long resetAfter(Limit limit) {
		long rest = limit.periodMicros() - this.elapsed;
		if (this.current > 0) {
			return rest + limit.periodMicros();
		}
		return (this.previous > 0) ? rest : 0;
	}

	@Override
	long used(Limit limit) {
		return weight(limit.periodMicros(), this.current, this.previous, this.at);
	}

	/**
	 * Return the units that count at a time of the current window, rounded up.
	 */
	private static long weight(long period, long current, long previous, long time) {
		return current + previous - Rate.floorOfProduct(time % period, previous, period);
	}

	/**
	 * Return the time within a window from which on the units of the window before have a
	 * weight of at most {@code remaining}.
	 */
	private static long drained(Limit limit, long before, long remaining) {
		return (before <= remaining) ? 0 : Rate.of(before, limit.periodMicros()).microsFor(before - remaining);
	}

	@Override
	void clear() {
		this.newest = 0;
		this.storedCurrent = 0;
		this.storedPrevious = 0;
		this.storedPeriod = 0;
	}

	private void write(Limit limit, long time) {
		this.storedPeriod = limit.periodMicros();
		this.newest = time;
		this.storedCurrent = this.current;
		this.storedPrevious = this.previous;
	}

}
