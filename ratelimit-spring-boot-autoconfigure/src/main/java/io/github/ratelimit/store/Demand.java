package io.github.ratelimit.store;

import java.util.Objects;

import io.github.ratelimit.RateLimitRule;

/**
 * What one call asks of one rule. A call that is subject to several rules is a list of
 * demands, no two of them with the same rule and key.
 *
 * @param rule the rule, none of its limits counted by {@code DEFAULT}
 * @param key who or what is counted
 * @param cost how many units to take from each limit of the rule; 0 only looks
 * @since 0.1.0
 */
public record Demand(RateLimitRule rule, String key, long cost) {

	/**
	 * Create a new demand.
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand {
		Objects.requireNonNull(key, "The key must not be null; \"\" is the one counter of a rule without keys");
		if (cost < 0) {
			throw new IllegalArgumentException("The cost of a call of rule \"" + rule.name()
					+ "\" has to be 0 or more, but is " + cost + ". To give units back, use a refund.");
		}
	}

}
