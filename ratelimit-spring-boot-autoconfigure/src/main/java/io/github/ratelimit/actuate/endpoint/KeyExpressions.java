package io.github.ratelimit.actuate.endpoint;

import java.util.Map;

/**
 * Key expressions of rules.
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

}
