package io.github.ratelimit.actuate.endpoint;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Key expressions of rules, and what else belongs to the places that use them.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface KeyExpressions {

	/**
	 * Return the key expressions of a rule.
	 * @return the expressions by the place that uses them, an empty one for one counter
	 */
	Map<String, String> of(String rule);

	default Map<String, Map<String, String>> ends(String rule) {
		return Map.of();
	}

	default Map<String, Map<String, String>> selections(String rule) {
		return Map.of();
	}

	default @Nullable Headers headers(String rule) {
		return null;
	}

	record Headers(List<String> formats, String source) {

	}

}
