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

	/**
	 * Return the expressions that settle the calls of a rule when they end.
	 * @return {@code unless} and {@code settle}, those that are set, by the place that
	 * uses them
	 */
	default Map<String, Map<String, String>> ends(String rule) {
		return Map.of();
	}

	/**
	 * Return the expressions that select the numbers of the calls of a rule.
	 * @return {@code plan} and {@code priority}, those that are set, by the place that
	 * uses them
	 */
	default Map<String, Map<String, String>> selections(String rule) {
		return Map.of();
	}

	/**
	 * Return the response headers that show the limits of a rule.
	 * @return the headers, or {@code null} if they are not known
	 */
	default @Nullable Headers headers(String rule) {
		return null;
	}

	/**
	 * Formats of response headers.
	 *
	 * @param formats the names of the formats
	 * @param source the property that sets them
	 */
	record Headers(List<String> formats, String source) {

	}

}
