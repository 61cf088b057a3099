package io.github.ratelimit;

import io.github.ratelimit.notation.KebabCase;

/**
 * Algorithm that counts calls.
 *
 * @since 0.1.0
 */
public enum Algorithm {

	/**
	 * The value of {@code ratelimit.defaults.algorithm}, {@link #SLIDING_LOG} unless set.
	 */
	DEFAULT,

	/**
	 * Records the time of every admitted unit and admits a call if fewer than {@code max}
	 * units were admitted in the period that ends now. Exact: no period, wherever it
	 * begins, admits more than {@code max} units. Keeps one entry per unit, so
	 * {@code max} is at most {@value Limit#MAX_LOG_ENTRIES}.
	 */
	SLIDING_LOG,

	/**
	 * A bucket of {@code burst} units, refilled continuously with {@code max} units per
	 * {@code period}. Admits {@code burst} units at once and the average rate from then
	 * on: at most {@code burst + max} in any period. The decisions equal those of GCRA
	 * and of redis-cell's {@code CL.THROTTLE} with a capacity of {@code burst}.
	 */
	TOKEN_BUCKET(true),

	/**
	 * Counts per window of one period, and weights the count of the previous window by
	 * its overlap with the period that ends now. Two numbers per key; about {@code max}
	 * in any period, {@code 2 * max - 1} at worst.
	 */
	WEIGHTED_WINDOW(true),

	/**
	 * Divides the period into {@code segments} and counts per segment. Every segment that
	 * overlaps the period that ends now counts in full, including the partly expired
	 * oldest one: never more than {@code max} in any period, but stricter than necessary
	 * by up to one segment. One number per segment.
	 */
	SLIDING_WINDOW(true),

	/**
	 * Counts per window of one period, which begins as {@code align} defines. One number
	 * per key; {@code max} per window, and up to {@code 2 * max} across the boundary of
	 * two windows.
	 */
	FIXED_WINDOW(true),

	/**
	 * A queue: calls leave at the constant rate of {@code max} per {@code period}, after
	 * {@code burst} (1 unless set) that may leave at once. A call that must queue gets
	 * the next free turn if {@code max-wait} permits the wait; otherwise it is denied.
	 */
	LEAKY_BUCKET,

	/**
	 * Calls leave at an even rate that rises from {@code max / cold-factor} to
	 * {@code max} per {@code period} while calls keep coming for the
	 * {@code warm-up-period}, and falls again when they stop. Protects resources that
	 * must fill caches or pools first. A few numbers per key; {@code max} calls in any
	 * period.
	 */
	WARM_UP,

	/**
	 * Limits the calls that run at once instead of those of a period: at most {@code max}
	 * units are held by calls that have not ended, over all instances. A call takes its
	 * units, its slots, when it begins, and frees them when it ends. The slots of an
	 * instance that dies are free after one {@code lease} at the latest. There is no
	 * {@code period}.
	 */
	CONCURRENCY;

	private final boolean debt;

	Algorithm() {
		this(false);
	}

	Algorithm(boolean debt) {
		this.debt = debt;
	}

	/**
	 * {@return whether {@link Reservation#settle} may charge a call more units than it
	 * was admitted with}
	 */
	public boolean hasDebt() {
		return this.debt;
	}

	/** Return whether it decides when a call may proceed, not only whether it may. */
	boolean isPacing() {
		return this == LEAKY_BUCKET || this == WARM_UP;
	}

	/**
	 * {@return the name in configuration files and messages, {@code sliding-log} for
	 * example}
	 */
	public String yamlName() {
		return KebabCase.of(this);
	}

}
