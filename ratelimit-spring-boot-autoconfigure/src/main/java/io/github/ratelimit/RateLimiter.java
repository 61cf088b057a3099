package io.github.ratelimit;

import java.util.concurrent.CompletionStage;

/**
 * Decides calls by one rule. Thread-safe. A key says who or what is counted; {@code ""}
 * is the one counter of a rule without keys.
 *
 * <p>
 * Every method throws {@link RateLimiterUnavailableException} when the store cannot
 * answer and the policy is {@link OnStoreFailure#DENY}; {@link #tryAcquireAsync} fails
 * the stage with it.
 *
 * @since 0.1.0
 */
public interface RateLimiter {

	/**
	 * The rule in force now.
	 * @return the rule
	 */
	RateLimitRule rule();

	/**
	 * Take one unit if there is one.
	 * @param key who or what is counted
	 * @return the decision
	 */
	default Decision tryAcquire(String key) {
		return tryAcquire(key, 1);
	}

	/**
	 * Take some units if they are there, all or none.
	 * @param key who or what is counted
	 * @param cost how many units; 0 looks and takes nothing
	 * @return the decision
	 * @throws IllegalArgumentException if the cost is negative
	 */
	Decision tryAcquire(String key, long cost);

	/**
	 * Take some units if they are there, all or none, without blocking the caller.
	 * @param key who or what is counted
	 * @param cost how many units; 0 looks and takes nothing
	 * @return the decision, later
	 * @throws IllegalArgumentException if the cost is negative
	 */
	CompletionStage<Decision> tryAcquireAsync(String key, long cost);

	/**
	 * Look without taking anything: what {@code tryAcquire(key, 0)} answers.
	 * @param key who or what is counted
	 * @return the decision
	 */
	default Decision peek(String key) {
		return tryAcquire(key, 0);
	}

	/**
	 * Forget everything that was counted for a key.
	 * @param key who or what is counted
	 */
	void reset(String key);

}
