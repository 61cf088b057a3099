package io.github.ratelimit.arithmetic;

/**
 * Exact rate of {@code units} per {@code micros} microseconds, in lowest terms. 5 per 60
 * s is 1 unit per 12,000,000 µs, 7 per second is 7 units per 1,000,000 µs. Both
 * conversions are exact integer arithmetic, so no rate is ever rounded.
 *
 * @param units the number of units
 * @param micros the time in microseconds
 * @since 0.1.0
 */
public record Rate(long units, long micros) {

	private static final int DIGIT_BITS = 7;

	private static final int DIGITS = 7;

	/**
	 * {@return a rate in lowest terms}
	 * @param units the number of units, 1 or more
	 * @param micros the time in microseconds, 1 or more
	 */
	public static Rate of(long units, long micros) {
		long divisor = greatestCommonDivisor(units, micros);
		return new Rate(units / divisor, micros / divisor);
	}

	/**
	 * {@return whether units are earned faster than by another rate} Both products are
	 * rounded as scripts round them, so rates that differ by less may seem equal.
	 * @param other the other rate
	 */
	public boolean isHigherThan(Rate other) {
		return this != other && (double) this.units * other.micros > (double) other.units * this.micros;
	}

	/**
	 * {@return the time in which units are earned, in microseconds, rounded up} Because
	 * the rate is in lowest terms, a part of {@link #units()} never takes a whole number
	 * of microseconds, so rounding up adds one.
	 * @param earned the number of units
	 */
	public long microsFor(long earned) {
		long whole = quotient(earned, this.units);
		long rest = earned - whole * this.units;
		long part = (rest == 0) ? 0 : floorOfProduct(rest, this.micros, this.units) + 1;
		return whole * this.micros + part;
	}

	/**
	 * {@return the time in which units are earned if some of it has passed already, in
	 * microseconds, rounded down}
	 * @param earned the number of units
	 * @param passed the parts of a microsecond that have passed, in
	 * {@code 1 / }{@link #units()}, less than one microsecond
	 */
	public long microsFor(long earned, long passed) {
		long whole = quotient(earned, this.units);
		long rest = earned - whole * this.units;
		long part = floorOfProduct(rest, this.micros, this.units);
		long remainder = rest * this.micros - part * this.units;
		return whole * this.micros + part + ((remainder + passed >= this.units) ? 1 : 0);
	}

	/**
	 * {@return the whole units earned in a time, rounded down}
	 * @param elapsed the time in microseconds
	 */
	public long unitsIn(long elapsed) {
		long whole = quotient(elapsed, this.micros);
		long rest = elapsed - whole * this.micros;
		return whole * this.units + ((rest == 0) ? 0 : floorOfProduct(rest, this.units, this.micros));
	}

	/**
	 * {@return {@code floor(a * b / c)} even if {@code a * b} overflows: by long
	 * multiplication, seven bits of {@code b} at a time, as {@code rate.lua} does}
	 * @param a 0 or more and less than {@code c}
	 * @param b 0 or more, below 2<sup>49</sup>
	 * @param c below 2<sup>45</sup>
	 */
	public static long floorOfProduct(long a, long b, long c) {
		return (Math.multiplyHigh(a, b) == 0 && a * b >= 0) ? quotient(a * b, c) : floorOfLongProduct(a, b, c);
	}

	private static long floorOfLongProduct(long a, long b, long c) {
		long quotient = 0;
		long remainder = 0;
		for (int digit = DIGITS - 1; digit >= 0; digit--) {
			remainder = (remainder << DIGIT_BITS) + a * (b >>> (digit * DIGIT_BITS) & ((1 << DIGIT_BITS) - 1));
			quotient = (quotient << DIGIT_BITS) + remainder / c;
			remainder %= c;
		}
		return quotient;
	}

	/**
	 * {@return {@code floor(a / b)}} Most quotients here are 0 and need no division.
	 * @param a 0 or more
	 * @param b 1 or more
	 */
	public static long quotient(long a, long b) {
		return (a < b) ? 0 : a / b;
	}

	/**
	 * {@return {@code floor(a / b)} for an {@code a} of any sign}
	 * @param a the dividend, mostly from {@code -b} to {@code b}, which needs no division
	 * @param b 1 or more
	 */
	public static long floor(long a, long b) {
		return (a >= 0) ? quotient(a, b) : (a >= -b) ? -1 : Math.floorDiv(a, b);
	}

	private static long greatestCommonDivisor(long a, long b) {
		return (b == 0) ? a : greatestCommonDivisor(b, a % b);
	}

}
