package io.github.ratelimit;

import java.util.Collection;

/**
 * Registry of all rules of the application, from annotations, properties and programs.
 *
 * @since 0.1.0
 */
public interface RateLimiterRegistry {

	/**
	 * {@return the limiter of a rule, which follows later changes of the rule}
	 * @param rule the name of the rule
	 * @throws IllegalArgumentException if there is no such rule; the message lists the
	 * known ones
	 */
	RateLimiter limiter(String rule);

	/**
	 * {@return an immutable snapshot of the rules in force, ordered by name}
	 */
	Collection<RateLimitRule> rules();

	/**
	 * Add a rule, or replace the one of the same name. The rule takes effect with the
	 * next call and keeps used units: with 2 of 100 used, a new {@code max} of 10 leaves
	 * 8.
	 * @param rule the rule
	 * @return its limiter
	 * @throws RateLimitConfigurationException if the rule cannot be put into force, for
	 * an unknown load signal for example
	 */
	RateLimiter register(RateLimitRule rule);

	/**
	 * Remove a rule that a program has {@linkplain #register registered}, for example one
	 * of a customer who has left. Its limiters go on counting by the rule as it was, and
	 * counters expire by themselves.
	 * @param rule the name of the rule
	 * @throws IllegalArgumentException if there is no such rule, or if an annotation or a
	 * property defines or names it
	 */
	void remove(String rule);

}
