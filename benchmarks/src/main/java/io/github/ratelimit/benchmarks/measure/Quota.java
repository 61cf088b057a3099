package io.github.ratelimit.benchmarks.measure;

import java.time.Duration;

/**
 * What each key may have.
 *
 * @param max how many calls
 * @param period in how much time
 */
public record Quota(long max, Duration period) {

	/**
	 * So much that every call is allowed.
	 */
	public static final Quota PLENTY = new Quota(1_000_000_000, Duration.ofSeconds(1));

	/**
	 * One call, and then none as long as it is measured.
	 */
	public static final Quota EXHAUSTED = new Quota(1, Duration.ofMinutes(30));

}
