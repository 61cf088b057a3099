package io.github.ratelimit.algorithm;

import io.github.ratelimit.Limit;
import io.github.ratelimit.arithmetic.Rate;

/**
 * A bucket from which {@code used} units were missing at the time {@code since} of the
 * last admission, less the part of a unit that had come back by then. It has been
 * refilling at {@code storedRate} from then on.
 *
 * <p>
 * This is the generic cell rate algorithm (ITU-T I.371; redis-cell) in units instead of
 * time: its theoretical arrival time is {@code since} plus what the missing units take to
 * come back. The part of a unit is {@code earned / fineness(rate)}, and the fineness is a
 * multiple of the microseconds of the {@link Rate} in lowest terms. So at an unchanged
 * rate no fraction is ever rounded.
 *
 * <p>
 * The state knows its rate because a changed limit must not change the past: what came
 * back at the old rate stays, and the new rate counts from the change on. The change
 * rounds down {@code earned}, by less than 2<sup>-43</sup> of a unit (one part of the
 * microseconds, if the rate has more than 2<sup>44</sup> of them).
 */
final class TokenBucket extends Count {

	private static final long FINENESS = 1L << 44;

	private long storedSince;

	private long storedUsed;

	private long storedEarned;

	private Rate storedRate = new Rate(1, 1);

	private long used;

	private long earned;

	private boolean corrected;

	/**
	 * What came back by now is no longer missing, nothing is in the future, and no more
	 * is missing than the bucket can hold, which a lowered limit would have.
	 */
	@Override
	void tell(Limit limit) {
		this.used = this.storedUsed;
		this.earned = this.storedEarned;
		this.corrected = false;
		if (this.used > 0) {
			this.corrected = this.storedSince > this.at;
			earn(this.storedRate, this.at - Math.min(this.storedSince, this.at));
			follow(limit.rate());
		}
		if (this.used > limit.capacity()) {
			this.used = limit.capacity();
			this.earned = 0;
			this.corrected = true;
		}
	}

	private void earn(Rate rate, long elapsed) {
		long cycles = (elapsed < rate.micros()) ? 0 : elapsed / rate.micros();
		if (cycles > this.used / rate.units()) {
			giveBack(this.used, 0);
			return;
		}
		long rest = elapsed - cycles * rate.micros();
		long whole = Rate.floorOfProduct(rest, rate.units(), rate.micros());
		giveBack(cycles * rate.units() + whole, rest * rate.units() - whole * rate.micros(), rate);
	}

	/**
	 * The same part of a unit at another rate.
	 */
	private void follow(Rate rate) {
		if (this.used > 0 && !rate.equals(this.storedRate)) {
			this.earned = Rate.floorOfProduct(this.earned, fineness(rate), fineness(this.storedRate));
			this.corrected = true;
		}
	}

	private void giveBack(long units, long parts, Rate rate) {
		long scale = scale(rate);
		long sum = this.earned / scale + parts;
		long carry = (sum >= rate.micros()) ? 1 : 0;
		giveBack(units + carry, (sum - carry * rate.micros()) * scale + this.earned % scale);
	}

	private void giveBack(long units, long earned) {
		this.used = Math.max(0, this.used - units);
		this.earned = (this.used == 0) ? 0 : earned;
	}

	@Override
	long retryAfter(Limit limit, long cost) {
		if (cost > limit.capacity()) {
			return NEVER;
		}
		long excess = this.used + cost - limit.capacity();
		return (excess <= 0) ? 0 : microsFor(limit, excess);
	}

	/**
	 * The time until so many units more have come back, rounded up.
	 */
	private long microsFor(Limit limit, long units) {
		return -floorMicros(limit, -1, units);
	}

	/**
	 * The microseconds that units take, together with what is earned: to earn them, sign
	 * -1, or to lose them, sign 1. Rounded down as a signed number.
	 */
	private long floorMicros(Limit limit, int sign, long units) {
		Rate rate = limit.rate();
		long rest = units % rate.units();
		long whole = Rate.floorOfProduct(rest, rate.micros(), rate.units());
		long remainder = rest * rate.micros() - whole * rate.units();
		long parts = this.earned / scale(rate);
		return sign * (units / rate.units() * rate.micros() + whole)
				+ Math.floorDiv(sign * remainder + parts, rate.units());
	}

	@Override
	void add(Limit limit, long cost) {
		this.used += cost;
		store(limit);
	}

	/**
	 * The units of the last call come back whole. Of an older one, what the bucket has
	 * refilled since then came back by itself; what else is missing may be of newer
	 * calls.
	 *
	 * <p>
	 * If the last call has not gone on yet, the queue ends at the time before at which
	 * the bucket, as it is without that call, was empty: a call that waited for this
	 * bucket went on just then.
	 */
	@Override
	long takeOut(Limit limit, long cost, long from, long to) {
		Rate rate = limit.rate();
		if (to >= this.storedSince) {
			giveBack(cost, this.earned);
		}
		else if (!mayWait(from, to) && (this.at - to) / rate.micros() <= cost / rate.units()) {
			long refilled = rate.unitsIn(this.at - to);
			long parts = partsIn(rate, this.at - to);
			if (refilled < cost) {
				giveBack(cost - refilled - ((parts > 0) ? 1 : 0), (parts > 0) ? rate.micros() - parts : 0, rate);
			}
		}
		long back = (from > this.now)
				? Math.min(this.at - this.now, floorMicros(limit, 1, limit.capacity() - this.used)) : 0;
		rewind(rate, back);
		store(limit);
		this.storedSince = this.at - back;
		return this.storedSince;
	}

	/**
	 * What was missing so much earlier, if nothing was taken meanwhile.
	 */
	private void rewind(Rate rate, long micros) {
		long scale = scale(rate);
		long left = this.earned / scale - partsIn(rate, micros);
		long borrowed = (left < 0) ? 1 : 0;
		this.used += rate.unitsIn(micros) + borrowed;
		this.earned = (left + borrowed * rate.micros()) * scale + this.earned % scale;
	}

	@Override
	boolean correct(Limit limit) {
		if (this.corrected) {
			store(limit);
			this.corrected = false;
			return true;
		}
		return false;
	}

	@Override
	long room(Limit limit) {
		return limit.capacity() - this.used;
	}

	@Override
	long untilUnused(Limit limit) {
		return (this.used == 0) ? 0 : microsFor(limit, this.used);
	}

	private void store(Limit limit) {
		this.storedSince = this.at;
		this.storedUsed = this.used;
		this.storedEarned = this.earned;
		this.storedRate = limit.rate();
	}

	@Override
	void clear() {
		this.storedUsed = 0;
		this.storedEarned = 0;
	}

	/**
	 * The remainder of {@link Rate#unitsIn}, in parts of a unit.
	 */
	private static long partsIn(Rate rate, long elapsed) {
		long rest = elapsed % rate.micros();
		return rest * rate.units() - Rate.floorOfProduct(rest, rate.units(), rate.micros()) * rate.micros();
	}

	private static long scale(Rate rate) {
		return Math.max(1, FINENESS / rate.micros());
	}

	private static long fineness(Rate rate) {
		return rate.micros() * scale(rate);
	}

}
