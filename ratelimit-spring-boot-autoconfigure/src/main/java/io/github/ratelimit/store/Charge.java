package io.github.ratelimit.store;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitRule;

/**
 * Units of a key that were admitted elsewhere.
 *
 * @param rule the rule
 * @param key who or what is counted
 * @param units how many, for each of its {@linkplain Tally counts}
 * @param longestWait how long the last of its calls waits, in microseconds
 * @since 0.1.0
 */
public record Charge(RateLimitRule rule, StoredKey key, List<Long> units, long longestWait) {

	/**
	 * Create a new charge of a key as callers know it, for calls that do not wait.
	 * @param rule the rule
	 * @param key who or what is counted, of any length
	 * @param units how many, for each of its {@linkplain Tally counts}
	 */
	public Charge(RateLimitRule rule, String key, List<Long> units) {
		this(rule, StoredKey.of(key), units, 0);
	}

	/**
	 * Whether there is nothing to count.
	 * @return whether all units are 0
	 */
	public boolean isEmpty() {
		return this.units.stream().allMatch((number) -> number == 0);
	}

	/**
	 * The counts, each with its units as the cost.
	 * @return the tallies of the rule
	 */
	public List<Tally> tallies() {
		List<Tally> tallies = Tally.of(this.rule, 0);
		return IntStream.range(0, tallies.size()).mapToObj((i) -> tallies.get(i).withCost(this.units.get(i))).toList();
	}

}
