package io.github.ratelimit.soak;

import java.util.List;

import io.github.ratelimit.RateLimitRule;
import org.jspecify.annotations.Nullable;

/**
 * Rule, how it is called, and what has to hold for each of its keys.
 *
 * @param name the name of the rule
 * @param rule the rule, {@code null} if it is that of an annotation
 * @param usage how it is called
 * @param checks what has to hold
 */
record Scenario(String name, @Nullable RateLimitRule rule, Usage usage, List<Check> checks) {

	/**
	 * Return how many calls to the store a call awaits at most: that of an annotated
	 * method also awaits the refund or debt of its end.
	 */
	int storeCalls() {
		return (this.rule != null) ? 1 : 2;
	}

}
