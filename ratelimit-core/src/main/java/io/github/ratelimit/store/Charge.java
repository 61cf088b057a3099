package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.RateLimitRule;

/**
 * Units of a key that were admitted elsewhere.
 *
 * @param counts the rule
 * @param key the key
 * @param units how many, for each of its counts
 * @param longestWait how long the last of its calls waits, in microseconds
 * @since 0.1.0
 */
public record Charge(RuleCounts counts, StoredKey key, List<Long> units, long longestWait) {

	/**
	 * Create a new charge for calls that do not wait, of a rule that is not registered.
	 * @param rule the rule, which is prepared anew
	 * @param key the key, of any length
	 * @param units how many, for each of its counts
	 */
	public Charge(RateLimitRule rule, String key, List<Long> units) {
		this(RuleCounts.of(rule), StoredKey.of(key), units, 0);
	}

	/**
	 * Return whether there is nothing to count.
	 * @return whether all units are 0
	 */
	public boolean isEmpty() {
		return this.units.stream().allMatch((number) -> number == 0);
	}

}
