package io.github.ratelimit;

import java.util.Locale;

/**
 * How calls are counted.
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
	WEIGHTED_WINDOW;

	/**
	 * The name used in configuration files and messages.
	 * @return the name in kebab case, {@code sliding-log} for example
	 */
	public String yamlName() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
