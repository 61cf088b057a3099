package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

/**
 * Quota of each key.
 *
 * @param max the number of calls
 * @param period the period
 */
public record Quota(long max, Duration period) {

	/**
	 * Quota that allows every call.
	 */
	public static final Quota PLENTY = new Quota(1_000_000_000, Duration.ofSeconds(1));

	/**
	 * Quota of few units: one is refilled in about a quarter of an hour, so hardly any is
	 * during a check.
	 */
	public static final Quota FEW = new Quota(1_000, Duration.ofDays(10));

	/**
	 * Quota of one call during the whole measurement.
	 */
	public static final Quota EXHAUSTED = new Quota(1, Duration.ofMinutes(30));

}
