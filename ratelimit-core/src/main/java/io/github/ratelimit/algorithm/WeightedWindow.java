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
 * For a call with a shorter period, the units also count in its windows, those of the
 * latest moment at which they can have been admitted: {@code newest}, or the end of the
 * window before. The smaller one of both counts decides, also at the end of the window,
 * when units leave that may stay longer in the windows of the call. An admitted call with
 * another period moves the units to its windows, so that their weight is the one that
 * decided: by a longer period {@code current} stays. If fewer of the older units are left
 * then, it is unknown which, so only units of calls since {@code wholeSince} are
 * refunded.
 */
final class WeightedWindow extends Count {

	private long newest;

	private long storedCurrent;

	private long storedPrevious;

	private long storedWholeSince;

	private long elapsed;

	private long current;

	private long previous;

	private long wholeSince;

	private long storedPeriod;

	private long period;

	/**
	 * Counts of older windows have expired. Units of a later window count as if admitted
	 * now.
	 */
	@Override
	void advance(Limit limit) {
		this.period = (this.storedPeriod > 0) ? this.storedPeriod : limit.periodMicros();
		this.corrected = this.newest > this.at;
		this.wholeSince = Math.min(this.storedWholeSince, this.at);
		this.elapsed = this.at % this.period;
		this.current = 0;
		this.previous = 0;
		long windows = this.at / this.period - this.newest / this.period;
		if (windows < 0) {
			this.current = Math.min(MOST_OWED,
					weight(this.period, this.storedCurrent, this.storedPrevious, this.newest));
		}
		else if (windows == 0) {
			this.current = this.storedCurrent;
			this.previous = this.storedPrevious;
		}
		else if (windows == 1) {
			this.previous = this.storedCurrent;
		}
	}

	/** Return the units in the windows of a call, which are shorter or longer. */
	private WeightedWindow moved(Limit limit) {
		WeightedWindow moved = new WeightedWindow();
		moved.at = this.at;
		moved.period = limit.periodMicros();
		moved.elapsed = this.at % moved.period;
		moved.add(this.current, latest(limit, this.at));
		moved.add(this.previous, latest(limit, this.at - this.elapsed - 1));
		return moved;
	}

	/** Return the latest moment at which units can have been admitted. */
	private long latest(Limit limit, long otherwise) {
		return (limit.periodMicros() > this.period) ? otherwise : Math.min(this.newest, otherwise);
	}

	/** Add units that were admitted at a time, as many as a window holds with debts. */
	private void add(long units, long time) {
		long windows = age(time);
		if (windows == 0) {
			this.current = Math.min(MOST_OWED, this.current + units);
		}
		else if (windows == 1) {
			this.previous = Math.min(MOST_OWED, this.previous + units);
		}
	}

	private long age(long time) {
		return this.at / this.period - Math.floorDiv(time, this.period);
	}

	@Override
	void convert(Limit limit) {
		if (this.period != limit.periodMicros()) {
			long units = used(limit);
			long before = this.current + this.previous;
			long begun = this.at - this.elapsed;
			WeightedWindow moved = moved(limit);
			boolean keepsCurrent = this.at == this.now && moved.age(latest(limit, this.at)) <= 1;
			boolean keepsPrevious = keepsCurrent && moved.age(latest(limit, begun - 1)) <= 1;
			long since = !keepsCurrent ? this.at : keepsPrevious ? begun - this.period : begun;
			this.knownSince = Math.max(this.knownSince, since);
			this.period = moved.period;
			this.elapsed = moved.elapsed;
			this.current = Math.min(moved.current, units);
			this.previous = moved.previous;
			if (used() > units) {
				this.previous = previousOf(units - this.current);
			}
			boolean keepsAll = this.current + this.previous == before;
			this.wholeSince = keepsAll ? this.wholeSince : Math.max(since, begun);
		}
	}

	/** Return the number of previous units that have this weight now. */
	private long previousOf(long weight) {
		return (weight == 0) ? 0 : Rate.of(weight, this.period - this.elapsed).unitsIn(this.period);
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		long wait = waitFor(limit.max() - cost);
		if (limit.periodMicros() < this.period) {
			wait = Math.min(wait, moved(limit).waitFor(limit.max() - cost));
			wait = Math.min(wait, this.period - this.elapsed + next().moved(limit).waitFor(limit.max() - cost));
		}
		return wait;
	}

	/** Return the units at the end of the window. */
	private WeightedWindow next() {
		WeightedWindow next = new WeightedWindow();
		next.at = this.at - this.elapsed + this.period;
		next.period = this.period;
		next.newest = Math.min(this.newest, this.at);
		next.previous = this.current;
		return next;
	}

	/** Return the time until at most so many units count. */
	private long waitFor(long most) {
		if (this.current > most) {
			return this.period - this.elapsed + drained(this.current, most);
		}
		return Math.max(0, drained(this.previous, most - this.current) - this.elapsed);
	}

	@Override
	void take(Limit limit, long cost) {
		this.current += cost;
		write(this.at);
	}

	@Override
	long refund(Limit limit, long cost, long from, long to) {
		long beginning = this.at - this.elapsed;
		boolean mayWait = mayWait(from, to);
		boolean whole = to >= Math.max(this.knownSince, this.wholeSince);
		long units = (to < beginning || mayWait || !whole) ? 0 : Math.min(cost, this.current);
		this.current -= units;
		if (whole && from < beginning && to >= beginning - (mayWait ? 0 : this.period)) {
			this.previous -= Math.min(cost - units, this.previous);
		}
		long end = (from > this.now) ? Math.max(this.knownSince, beginning + turn(limit)) : this.at;
		write(Math.max(this.now, Math.min(this.at, end)));
		return this.newest;
	}

	/**
	 * The units get the weight of the window in which the call was counted, or count in
	 * full if a change of the period has moved the units of that window.
	 */
	@Override
	boolean owe(long units, long countedAt, boolean first) {
		long beginning = this.at - this.elapsed;
		if (countedAt < beginning - this.period || !first && countedAt < this.knownSince) {
			return false;
		}
		if (countedAt >= beginning || countedAt < this.wholeSince) {
			this.current = owed(this.current, units, MOST_OWED);
		}
		else {
			this.previous = owed(this.previous, units, MOST_OWED);
		}
		write(this.at);
		return true;
	}

	/**
	 * Return the time within this window from which on its units fit: a call that waited
	 * for this window went on just then.
	 */
	private long turn(Limit limit) {
		return (this.current == 0) ? 0 : drained(this.previous, Math.max(0, limit.max() - this.current));
	}

	@Override
	void correct() {
		write(this.at);
	}

	@Override
	long resetAfter() {
		long rest = this.period - this.elapsed;
		if (this.current > 0) {
			return rest + this.period;
		}
		return (this.previous > 0) ? rest : 0;
	}

	@Override
	long used(Limit limit) {
		return (limit.periodMicros() >= this.period) ? used() : Math.min(used(), moved(limit).used());
	}

	private long used() {
		return weight(this.period, this.current, this.previous, this.at);
	}

	/** Return the units that count at a time of the current window, rounded up. */
	private static long weight(long period, long current, long previous, long time) {
		return current + previous - Rate.floorOfProduct(time % period, previous, period);
	}

	/**
	 * Return the time within a window from which on the units of the window before have a
	 * weight of at most {@code remaining}.
	 */
	private long drained(long before, long remaining) {
		return (before <= remaining) ? 0 : Rate.of(before, this.period).microsFor(before - remaining);
	}

	@Override
	void clear() {
		this.newest = 0;
		this.storedCurrent = 0;
		this.storedPrevious = 0;
		this.storedWholeSince = 0;
		this.storedPeriod = 0;
	}

	private void write(long time) {
		this.storedPeriod = this.period;
		this.newest = time;
		this.storedCurrent = this.current;
		this.storedPrevious = this.previous;
		this.storedWholeSince = this.wholeSince;
	}

	@Override
	void write(StateOutput to) {
		to.number(this.newest);
		to.number(this.storedCurrent);
		to.number(this.storedPrevious);
		to.number(this.storedWholeSince);
		to.number(this.storedPeriod);
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.newest = from.time();
		this.storedCurrent = from.units();
		this.storedPrevious = from.units();
		this.storedWholeSince = from.time();
		this.storedPeriod = from.period();
	}

}
