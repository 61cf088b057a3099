package io.github.ratelimit.store;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * What one call asks of one rule. A call that is subject to several rules is a list of
 * demands, no two of them with the same rule and key.
 *
 * @param rule the rule, none of its limits counted by {@code DEFAULT}
 * @param key who or what is counted
 * @param cost how many units to take from each limit of the rule; 0 only looks
 * @param maxWait how long the call may wait instead of being denied
 * @since 0.1.0
 */
public record Demand(RateLimitRule rule, StoredKey key, long cost, Duration maxWait) {

	/**
	 * Create a new demand.
	 * @param rule the rule
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @param maxWait how long the call may wait instead of being denied
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * too long
	 */
	public Demand {
		if (cost < 0) {
			throw new IllegalArgumentException("The cost of a call of rule \"" + rule.name()
					+ "\" has to be 0 or more, but is " + cost + ". To give units back, use a refund.");
		}
		if (maxWait != rule.maxWait() && (maxWait.isNegative() || maxWait.compareTo(Limit.MAX_PERIOD) > 0)) {
			throw new IllegalArgumentException("The longest wait of a call of rule \"" + rule.name()
					+ "\" has to be between 0 and 366 days, but is " + maxWait + ".");
		}
	}

	/**
	 * Create a new demand of a key as callers know it.
	 * @param rule the rule
	 * @param key who or what is counted, of any length
	 * @param cost how many units to take
	 * @param maxWait how long the call may wait instead of being denied
	 * @throws IllegalArgumentException if the cost or the wait is negative, or the wait
	 * too long
	 */
	public Demand(RateLimitRule rule, String key, long cost, Duration maxWait) {
		this(rule, stored(key), cost, maxWait);
	}

	/**
	 * Create a new demand that may wait as long as the rule says.
	 * @param rule the rule
	 * @param key who or what is counted, of any length
	 * @param cost how many units to take
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RateLimitRule rule, String key, long cost) {
		this(rule, stored(key), cost, rule.maxWait());
	}

	/**
	 * Create a new demand that may wait as long as the rule says.
	 * @param rule the rule
	 * @param key who or what is counted
	 * @param cost how many units to take
	 * @throws IllegalArgumentException if the cost is negative
	 */
	public Demand(RateLimitRule rule, StoredKey key, long cost) {
		this(rule, key, cost, rule.maxWait());
	}

	private static StoredKey stored(String key) {
		return StoredKey.of(Objects.requireNonNull(key,
				"The key must not be null; \"\" is the one counter of a rule without keys"));
	}

	/**
	 * How long the call may wait, in the unit of all arithmetic.
	 * @return the wait in microseconds
	 */
	public long maxWaitMicros() {
		return this.maxWait.toNanos() / 1000;
	}

}
