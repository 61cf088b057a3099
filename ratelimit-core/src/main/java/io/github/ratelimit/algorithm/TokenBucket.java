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
 * {@linkplain MissingUnits missing units} are refilled. If that time were stored, it
 * would mean something else after a change of {@code max} or of the period.
 *
 * <p>
 * The state contains its rate because a changed limit must not change the past: units
 * refilled at the old rate stay, and the new rate applies from the change on. A call with
 * a higher rate applies it even if it is denied, since only this call shows when the rate
 * changed: a key that is exhausted at 1 per day would otherwise wait for a day after a
 * change to 1 per second. A call with a lower rate applies it if it is admitted. A refund
 * or a debt applies none: the end of a call of an old version would bring its rate back.
 *
 * <p>
 * More units may be missing than a bucket can hold, since calls with a larger capacity
 * have taken them, or because it owes some. They are never forgotten.
 */
final class TokenBucket extends MissingUnits {

	/** The longest time in which a debt is refilled. */
	private static final long LONGEST_DEBT = TimeUnit.DAYS.toMicros(3_660);

	/** Some 35 years: a bucket and its debt are refilled in twenty. */
	private static final double LONGEST = 1L << 50;

	private long storedSince;

	private long storedUsed;

	private long storedParts;

	private long storedFine;

	private Rate storedRate = new Rate(1, 1);

	private long since;

	/** The rate of the advanced state. */
	private Rate rate = this.storedRate;

	private boolean movedBack;

	/**
	 * Whether calls before {@link #knownSince} are unknown because the rate was lowered.
	 * What they owe still counts.
	 */
	private boolean lowered;

	private boolean storedLowered;

	/**
	 * The newest takes. A call that does not record them clears them only if it changes
	 * the state.
	 */
	private @Nullable RecentTakes takes;

	private boolean settled;

	/** Units that were refilled are no longer missing. No admission is in the future. */
	@Override
	void advance(Limit limit) {
		this.since = this.storedSince;
		this.used = this.storedUsed;
		this.parts = this.storedParts;
		this.fine = this.storedFine;
		this.rate = this.storedRate;
		this.lowered = this.storedLowered;
		this.movedBack = false;
		if (this.used > 0) {
			this.movedBack = this.storedSince > this.at;
			earn(this.rate, this.at - Math.min(this.storedSince, this.at));
		}
		this.corrected = this.movedBack;
		if (this.used == 0 || !this.correcting && limit.rate().isHigherThan(this.rate)) {
			this.corrected |= this.used > 0;
			convert(limit);
		}
	}

	/**
	 * By a lower rate, it is not known any more how many units the bucket has refilled
	 * since earlier calls.
	 */
	@Override
	void convert(Limit limit) {
		if (this.changedUnder != null && this.rate.isHigherThan(limit.rate())) {
			this.knownSince = this.at;
			this.lowered = true;
		}
		convert(this.rate, limit.rate());
		this.rate = limit.rate();
	}

	private static long mostOwed(Rate rate) {
		long cycles = LONGEST_DEBT / rate.micros();
		return (cycles > MOST_OWED / rate.units()) ? MOST_OWED : cycles * rate.units();
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		long excess = this.used + cost - limit.capacity();
		return (excess <= 0) ? 0 : microsFor(this.rate, excess);
	}

	@Override
	void take(Limit limit, long cost) {
		record();
		this.used += cost;
		write();
	}

	private void record() {
		RecentTakes recent = recent();
		if (recent != null) {
			recent.add(this.at, missing(this.rate));
		}
	}

	/**
	 * All units of the last call are refunded, even if the rate changed since. Of an
	 * older call, the units that the bucket has refilled since then are not refunded
	 * again; other missing units may belong to newer calls. Nothing is refunded of a call
	 * before the bucket was full or its rate was lowered.
	 *
	 * <p>
	 * If the last call still waits, the queue goes back to the time at which the bucket
	 * without that call was empty: the call before it went on just then.
	 */
	@Override
	long refund(Limit limit, long cost, long from, long to) {
		RecentTakes recent = recent();
		if (recent != null && from == to && to <= this.now && recent.reachBackTo(to)) {
			add(recent.refund(to, cost), this.rate);
		}
		else if (to >= this.since) {
			add(cost);
		}
		else if (to >= this.knownSince && !mayWait(from, to)
				&& (this.at - to) / this.rate.micros() <= cost / this.rate.units()) {
			long refilled = this.rate.unitsIn(this.at - to);
			long parts = partsIn(this.rate, this.at - to);
			if (refilled < cost) {
				add(cost - refilled - ((parts > 0) ? 1 : 0), (parts > 0) ? this.rate.micros() - parts : 0, this.rate);
			}
		}
		long most = this.at - Math.max(this.now, this.knownSince);
		long back = (from > this.now) ? Math.min(most, floorMicros(this.rate, 1, remaining(limit))) : 0;
		if (from > this.now && recent != null) {
			recent.clear();
		}
		rewind(this.rate, back);
		write();
		this.storedSince = this.at - back;
		return this.storedSince;
	}

	@Override
	boolean owe(long units, long countedAt, boolean first) {
		RecentTakes recent = recent();
		if (first) {
			record();
		}
		else if (recent != null && recent.reachBackTo(countedAt)) {
			if (!recent.owe(countedAt, units, this.now)) {
				return false;
			}
		}
		else if (countedAt < this.knownSince && !this.lowered) {
			return false;
		}
		this.used = owed(this.used, units, mostOwed(this.rate));
		write();
		return true;
	}

	@Override
	void correct() {
		write();
	}

	@Override
	long used(Limit limit) {
		return this.used;
	}

	@Override
	boolean isUnused() {
		return this.used == 0;
	}

	@Override
	long resetAfter() {
		return (this.used == 0) ? 0 : microsFor(this.rate, this.used);
	}

	@Override
	public void setSettled(boolean settled) {
		this.settled = settled;
	}

	@Override
	public Count copy() {
		TokenBucket copy = (TokenBucket) super.copy();
		copy.takes = (this.takes != null) ? this.takes.copy() : null;
		return copy;
	}

	/**
	 * Restore a state that only calls without a wait have changed.
	 * @param missing the units that were missing after the last call
	 * @param refilled the part of a unit that had been refilled then, in parts of the
	 * microseconds of the rate
	 */
	void restore(Limit limit, long lastCall, long known, long missing, long refilled) {
		this.storedSince = lastCall;
		this.storedUsed = missing;
		this.storedParts = refilled;
		this.storedRate = limit.rate();
		restore(limit, lastCall, known);
	}

	/**
	 * Return what was missing when the state was changed last, in parts of the
	 * microseconds of the rate, or -1 if {@link #restore} cannot restore the state.
	 */
	long restorable(Limit limit) {
		boolean isRestorable = this.storedRate.equals(limit.rate()) && this.storedFine == 0
				&& this.storedUsed <= limit.capacity() && !this.corrected && !this.storedLowered && this.takes == null
				&& isRestorable(limit, this.storedSince);
		return isRestorable ? this.storedUsed * this.storedRate.micros() - this.storedParts : -1;
	}

	/** Return the newest takes, if recorded, by the rate of the advanced state. */
	private @Nullable RecentTakes recent() {
		if (!this.settled) {
			return null;
		}
		if (this.takes == null) {
			this.takes = new RecentTakes();
		}
		this.takes.convertTo(fineness(this.rate));
		return this.takes;
	}

	private void write() {
		RecentTakes recent = recent();
		if (recent == null) {
			this.takes = null;
		}
		else if (this.movedBack) {
			recent.clear();
		}
		this.movedBack = false;
		this.storedSince = this.at;
		this.storedUsed = this.used;
		this.storedParts = this.parts;
		this.storedFine = this.fine;
		this.storedRate = this.rate;
		this.storedLowered = this.lowered;
	}

	@Override
	void clear() {
		this.storedUsed = 0;
		this.storedParts = 0;
		this.storedFine = 0;
		this.storedLowered = false;
		if (this.takes != null) {
			this.takes.clear();
		}
	}

	@Override
	void write(StateOutput to) {
		to.number(this.storedSince);
		to.number(this.storedUsed);
		to.number(this.storedParts);
		to.number(this.storedFine);
		to.number(this.storedRate.units());
		to.number(this.storedRate.micros());
		to.flag(this.storedLowered);
		to.flag(this.takes != null);
		if (this.takes != null) {
			this.takes.write(to);
		}
	}

	@Override
	void read(StateInput from, Limit limit) {
		this.storedSince = from.time();
		this.storedUsed = from.units();
		this.storedParts = from.number();
		this.storedFine = from.number();
		this.storedRate = new Rate(from.number(1, Limit.MAX_UNITS), from.period());
		from.check(isPartOfAUnit(this.storedParts, this.storedFine, this.storedRate)
				&& (double) this.storedUsed * this.storedRate.micros() <= LONGEST * this.storedRate.units());
		this.storedLowered = from.flag();
		if (from.flag()) {
			this.takes = new RecentTakes();
			this.takes.read(from);
		}
	}

}
