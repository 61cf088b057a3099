package io.github.ratelimit.algorithm;

import io.github.ratelimit.arithmetic.Rate;

/**
 * Units that a bucket lacks: {@code used}, less the part of a unit that has been
 * refilled.
 *
 * <p>
 * The part of a unit is {@code earned / fineness(rate)}, where {@code earned} is
 * {@code parts * scale(rate) + fine}. The fineness is a multiple of the microseconds of
 * the {@link Rate} in lowest terms, so nothing is rounded while the rate stays the same.
 * A change of the rate rounds {@code earned} down, by less than 2<sup>-43</sup> of a
 * unit, or by one part of the microseconds if the rate has more than 2<sup>44</sup> of
 * them.
 */
abstract class MissingUnits extends Count {

	private static final long FINENESS = 1L << 44;

	long used;

	long parts;

	long fine;

	/** Add the units that are refilled in a time. */
	final void earn(Rate rate, long elapsed) {
		long cycles = Rate.quotient(elapsed, rate.micros());
		if (cycles > Rate.quotient(this.used, rate.units())) {
			add(this.used);
			return;
		}
		long rest = elapsed - cycles * rate.micros();
		long whole = Rate.floorOfProduct(rest, rate.units(), rate.micros());
		add(cycles * rate.units() + whole, rest * rate.units() - whole * rate.micros(), rate);
	}

	final void convert(Rate from, Rate to) {
		if (this.used > 0 && from != to && !from.equals(to)) {
			set(missing(from).convert(fineness(from), fineness(to)), to);
		}
	}

	final Missing missing(Rate rate) {
		return new Missing(this.used, this.parts * scale(rate) + this.fine);
	}

	private void set(Missing missing, Rate rate) {
		this.used = missing.used();
		this.parts = missing.earned() / scale(rate);
		this.fine = missing.earned() % scale(rate);
	}

	/** Add an amount, but no more than is missing. */
	final void add(Missing amount, Rate rate) {
		Missing missing = missing(rate);
		set(missing.minus(missing.orLess(amount), fineness(rate)), rate);
	}

	final void add(long units, long more, Rate rate) {
		long sum = this.parts + more;
		long carry = (sum >= rate.micros()) ? 1 : 0;
		this.parts = sum - carry * rate.micros();
		add(units + carry);
	}

	final void add(long units) {
		this.used -= units;
		if (this.used <= 0) {
			this.used = 0;
			this.parts = 0;
			this.fine = 0;
		}
	}

	/** Return the time until some more units are refilled, rounded up. */
	final long microsFor(Rate rate, long units) {
		return -floorMicros(rate, -1, units);
	}

	/**
	 * Return the microseconds in which units are earned (sign -1) or lost (sign 1), given
	 * the earned part of a unit. Rounded down as a signed number.
	 */
	final long floorMicros(Rate rate, int sign, long units) {
		long cycles = Rate.quotient(units, rate.units());
		long rest = units - cycles * rate.units();
		long whole = Rate.floorOfProduct(rest, rate.micros(), rate.units());
		long remainder = rest * rate.micros() - whole * rate.units();
		return sign * (cycles * rate.micros() + whole) + Rate.floor(sign * remainder + this.parts, rate.units());
	}

	/** Go back in time, as if nothing had been taken since. */
	final void rewind(Rate rate, long micros) {
		long left = this.parts - partsIn(rate, micros);
		long borrowed = (left < 0) ? 1 : 0;
		this.used += rate.unitsIn(micros) + borrowed;
		this.parts = left + borrowed * rate.micros();
	}

	/** Return the remainder of {@link Rate#unitsIn}, in parts of a unit. */
	static long partsIn(Rate rate, long elapsed) {
		long rest = elapsed % rate.micros();
		return rest * rate.units() - Rate.floorOfProduct(rest, rate.units(), rate.micros()) * rate.micros();
	}

	/** Return whether less than a unit has been refilled. */
	static boolean isPartOfAUnit(long parts, long fine, Rate rate) {
		return parts >= 0 && parts < rate.micros() && fine >= 0 && fine < scale(rate);
	}

	private static long scale(Rate rate) {
		return Math.max(1, FINENESS / rate.micros());
	}

	/** Return the parts of a unit in which its refilled part is counted. */
	static long fineness(Rate rate) {
		return rate.micros() * scale(rate);
	}

}
