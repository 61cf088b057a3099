package io.github.ratelimit.override;

import java.util.Map;

/**
 * What is kept in a store at one moment.
 *
 * @param version another one with every change, never empty unless nothing was ever kept
 * @param texts what is said of rules, by their names
 * @since 0.1.0
 */
public record StoredOverrides(String version, Map<String, String> texts) {

	/**
	 * Create a new snapshot.
	 * @param version the version of the overrides
	 * @param texts the text of each override by the name of its rule
	 */
	public StoredOverrides {
		texts = Map.copyOf(texts);
	}

}
