package io.github.ratelimit.actuate.endpoint;

import java.util.Map;

/**
 * Key expressions of rules, and those about the ends of their calls.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyExpressions {

	/**
	 * Return the key expressions of a rule.
	 * @param rule the name of the rule
	 * @return the expressions by the place that uses them, an empty one for one counter
	 */
	Map<String, String> of(String rule);

	/**
	 * Return the expressions that settle the calls of a rule when they end.
	 * @param rule the name of the rule
	 * @return {@code unless} and {@code settle}, those that are set, by the place that
	 * uses them
	 */
	default Map<String, Map<String, String>> ends(String rule) {
		return Map.of();
	}

}
