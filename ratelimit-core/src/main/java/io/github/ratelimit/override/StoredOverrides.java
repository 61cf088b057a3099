package io.github.ratelimit.override;

import java.util.Map;

/**
 * Snapshot of the overrides in a store.
 *
 * @param version the version, which differs after every change; empty if nothing was ever
 * stored
 * @param texts the texts of overrides by the names of their rules
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
