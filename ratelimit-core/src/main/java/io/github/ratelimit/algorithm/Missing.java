package io.github.ratelimit.algorithm;

import io.github.ratelimit.arithmetic.Rate;

/**
 * Amount that a bucket lacks: units, less the part of a unit that has been refilled.
 *
 * @param used the units
 * @param earned the part of a unit, in parts of the fineness of the rate; 0 if there are
 * no units
 */
record Missing(long used, long earned) {

	boolean isNothing() {
		return this.used == 0;
	}

	Missing orLess(Missing other) {
		boolean isLess = this.used < other.used || this.used == other.used && this.earned > other.earned;
		return isLess ? this : other;
	}

	/** Subtract an amount that is not larger. */
	Missing minus(Missing other, long fineness) {
		long part = this.earned - other.earned;
		return (part >= 0) ? new Missing(this.used - other.used, part)
				: new Missing(this.used - other.used + 1, part + fineness);
	}

	Missing plus(long units, long most) {
		return new Missing(Count.owed(this.used, units, most), this.earned);
	}

	/** Convert the part of a unit to another fineness, rounded down. */
	Missing convert(long from, long to) {
		return new Missing(this.used, Rate.floorOfProduct(this.earned, to, from));
	}

}
