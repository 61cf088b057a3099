package io.github.ratelimit;

import io.github.ratelimit.notation.KebabCase;

/**
 * Algorithm that counts calls.
 *
 * @since 0.1.0
 */
public enum Algorithm {

	/**
	 * Whatever {@code ratelimit.defaults.algorithm} says; {@link #SLIDING_LOG} unless
	 * set.
	 */
	DEFAULT,

	/**
	 * Remembers the time of every admitted unit and admits a call when fewer than
	 * {@code max} units were admitted in the period that ends now. Exact: in no period,
	 * wherever it begins, are more than {@code max} units admitted. Keeps one entry per
	 * unit, hence {@code max} is at most {@value Limit#MAX_LOG_ENTRIES}.
	 */
	SLIDING_LOG,

	/**
	 * A bucket of {@code burst} units that refills continuously with {@code max} units
	 * per {@code period}. Lets {@code burst} units through at once and the average rate
	 * from then on: at most {@code burst + max} in any period. The decisions are those of
	 * GCRA and of redis-cell's {@code CL.THROTTLE} with a capacity of {@code burst}.
	 */
	TOKEN_BUCKET,

	/**
	 * Counts per window of one period, and weighs the count of the previous window by the
	 * part of it that still lies in the period that ends now. Two numbers per key; about
	 * {@code max} in any period, {@code 2 * max - 1} at worst.
	 */
	WEIGHTED_WINDOW,

	/**
	 * Cuts the period into {@code segments} and counts per segment. What counts is the
	 * segment of now and as many before it as make a period, of which the partly expired
	 * oldest one counts whole: never more than {@code max} in any period, and at times a
	 * segment too careful. One number per segment.
	 */
	SLIDING_WINDOW,

	/**
	 * Counts per window of one period, which begins as {@link Align} says. One number per
	 * key; {@code max} per window, and {@code 2 * max} across the edge of two windows.
	 */
	FIXED_WINDOW,

	/**
	 * A queue: calls leave at the even rate of {@code max} per {@code period}, after
	 * {@code burst} (1 unless set) that may leave at once. A call that has to queue gets
	 * the next slot if it may wait for it, see {@code max-wait}, else it is denied.
	 */
	LEAKY_BUCKET,

	/**
	 * Calls leave at an even rate, which rises from {@code max / cold-factor} to
	 * {@code max} per {@code period} while calls keep coming for the
	 * {@code warm-up-period}, and falls again while they do not: spares what has to fill
	 * caches or pools first. A few numbers per key; {@code max} calls in any period.
	 */
	WARM_UP;

	/**
	 * Return the name in configuration files and messages.
	 * @return the name in kebab case, {@code sliding-log} for example
	 */
	public String yamlName() {
		return KebabCase.of(this);
	}

}
