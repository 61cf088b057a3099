package io.github.ratelimit.actuate.endpoint;

import java.util.Map;

/**
 * By what keys rules count.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyExpressions {

	/**
	 * The key expressions of a rule.
	 * @param rule the name of the rule
	 * @return the expressions by where they hold, an empty one for one counter
	 */
	Map<String, String> of(String rule);

}
