package io.github.ratelimit.algorithm;

import java.util.concurrent.TimeUnit;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Bucket that lacked {@code used} units at the time {@code since} of the last admission,
 * less the part of a unit that had been refilled by then. It refills at
 * {@code storedRate}.
 *
 * <p>
 * This is the generic cell rate algorithm (ITU-T I.371; redis-cell) in units instead of
 * time: its theoretical arrival time is {@code since} plus the time in which the
 * {@linkplain MissingUnits missing units} are refilled.
 *
 * <p>
 * The state contains its rate because a changed limit must not change the past: units
 * refilled at the old rate stay, and the new rate applies from the change on.
 *
 * <p>
 * More units are missing than the bucket can hold if its capacity was lowered, which is
 * corrected, or if it {@code owes} some, which are never forgotten. It does so until the
 * next admission, for which they have to be refilled.
 */
final class TokenBucket extends MissingUnits {

	/**
	 * The longest time in which a debt is refilled.
	 */
	private static final long LONGEST_DEBT = TimeUnit.DAYS.toMicros(3_660);

	private long storedSince;

	private long storedUsed;

	private long storedParts;

	private long storedFine;

	private Rate storedRate = new Rate(1, 1);

	private long since;

	private boolean corrected;

	private boolean owes;

	private boolean forgets;

	private @Nullable RecentTakes takes;

	/**
	 * Units that were refilled are no longer missing. No admission is in the future, and
	 * no more units are missing than the bucket can hold or owes.
	 */
	@Override
	void advance(Limit limit) {
		this.since = this.storedSince;
		this.used = this.storedUsed;
		this.parts = this.storedParts;
		this.fine = this.storedFine;
		this.corrected = false;
		this.forgets = false;
		if (this.used > 0) {
			this.corrected = this.storedSince > this.at;
			this.forgets = this.corrected;
			earn(this.storedRate, this.at - Math.min(this.storedSince, this.at));
			this.corrected |= convert(this.storedRate, limit.rate());
		}
		if (this.used > limit.capacity() && !this.underPlans) {
			cutTo(this.owes ? Math.max(limit.capacity(), mostOwed(limit)) : limit.capacity());
		}
	}

	private void cutTo(long most) {
		if (this.used > most) {
			this.used = most;
			this.parts = 0;
			this.fine = 0;
			this.corrected = true;
			this.forgets = true;
		}
	}

	private static long mostOwed(Limit limit) {
		Rate rate = limit.rate();
		long cycles = LONGEST_DEBT / rate.micros();
		return (cycles > MOST_OWED / rate.units()) ? MOST_OWED : cycles * rate.units();
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.capacity()) {
			return NEVER;
		}
		long excess = this.used + cost - limit.capacity();
		return (excess <= 0) ? 0 : microsFor(limit, excess);
	}

	@Override
	void take(Limit limit, long cost) {
		record(limit);
		this.used += cost;
		this.owes = false;
		write(limit);
	}

	private void record(Limit limit) {
		RecentTakes recent = recent(limit);
		if (recent != null) {
			recent.add(this.at, missing(limit.rate()));
		}
	}

	/**
	 * All units of the last call are refunded, even if the limit changed since. Of an
	 * older call, the units that the bucket has refilled since then are not refunded
	 * again; other missing units may belong to newer calls.
	 *
	 * <p>
	 * If the last call still waits, the queue goes back to the time at which the bucket
	 * without that call was empty: the call before it went on just then.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		Rate rate = limit.rate();
		RecentTakes recent = recent(limit);
		if (recent != null && from == to && to <= this.now && recent.reachBackTo(to)) {
			add(recent.refund(to, cost), rate);
		}
		else if (to >= this.since) {
			add(cost);
		}
		else if (!mayWait(from, to) && (this.at - to) / rate.micros() <= cost / rate.units()) {
			long refilled = rate.unitsIn(this.at - to);
			long parts = partsIn(rate, this.at - to);
			if (refilled < cost) {
				add(cost - refilled - ((parts > 0) ? 1 : 0), (parts > 0) ? rate.micros() - parts : 0, rate);
			}
		}
		long back = (from > this.now)
				? Math.min(this.at - this.now, floorMicros(limit, 1, Math.max(0, limit.capacity() - this.used))) : 0;
		if (from > this.now && recent != null) {
			recent.clear();
		}
		rewind(rate, back);
		write(limit);
		this.storedSince = this.at - back;
		return this.storedSince;
	}

	@Override
	boolean owe(Limit limit, long units, long slot, long capacity, boolean first) {
		RecentTakes recent = recent(limit);
		if (first) {
			record(limit);
		}
		else if (recent != null && recent.reachBackTo(slot) && !recent.owe(slot, units)) {
			return false;
		}
		this.used = owed(this.used, units, mostOwed(limit));
		this.owes = this.used > capacity;
		write(limit);
		return true;
	}

	@Override
	boolean correct(Limit limit) {
		if (this.corrected) {
			write(limit);
			this.corrected = false;
			return true;
		}
		return false;
	}

	@Override
	long remaining(Limit limit) {
		return Math.max(0, limit.capacity() - this.used);
	}

	@Override
	long used(Limit limit) {
		return this.used;
	}

	@Override
	boolean evolvesAlike(Limit limit, Limit other) {
		return limit.rate().equals(other.rate());
	}

	@Override
	boolean isUnused(Limit limit) {
		return this.used == 0;
	}

	@Override
	long resetAfter(Limit limit) {
		return (this.used == 0) ? 0 : microsFor(limit, this.used);
	}

	@Override
	public void setSettled(boolean settled) {
		this.takes = !settled ? null : (this.takes != null) ? this.takes : new RecentTakes();
	}

	@Override
	public Count copy() {
		TokenBucket copy = (TokenBucket) super.copy();
		copy.takes = (this.takes != null) ? this.takes.copy() : null;
		return copy;
	}

	/**
	 * Return the newest takes, if they are recorded, by the rate of a limit.
	 */
	private @Nullable RecentTakes recent(Limit limit) {
		if (this.takes != null) {
			this.takes.convertTo(fineness(limit.rate()));
		}
		return this.takes;
	}

	private void write(Limit limit) {
		RecentTakes recent = recent(limit);
		if (this.forgets && recent != null) {
			recent.clear();
		}
		this.forgets = false;
		this.storedSince = this.at;
		this.storedUsed = this.used;
		this.storedParts = this.parts;
		this.storedFine = this.fine;
		this.storedRate = limit.rate();
	}

	@Override
	void clear() {
		this.storedUsed = 0;
		this.storedParts = 0;
		this.storedFine = 0;
		this.owes = false;
		if (this.takes != null) {
			this.takes.clear();
		}
	}

}
