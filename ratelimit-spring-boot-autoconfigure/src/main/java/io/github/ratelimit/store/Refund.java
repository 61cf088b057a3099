package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Count;

/**
 * Units to refund.
 *
 * @param demand the rule, the key and how many units
 * @param slot the time of the store's clock at which they were counted, or
 * {@link #NEWEST}
 * @since 0.1.0
 */
public record Refund(Demand demand, long slot) {

	/**
	 * The {@link #slot} of the newest units, except those of calls that still wait.
	 */
	public static final long NEWEST = Count.NEWEST;

}
