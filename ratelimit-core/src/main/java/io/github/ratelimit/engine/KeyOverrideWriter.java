package io.github.ratelimit.engine;

import io.github.ratelimit.KeyOverride;

/**
 * Writer of overrides of single keys, for every instance.
 *
 * @since 0.1.0
 */
public interface KeyOverrideWriter {

	/** Override a key, instead of an earlier override. */
	void override(String rule, String key, KeyOverride override);

	/**
	 * Remove the override of a key.
	 * @return {@code false} if there was none
	 */
	boolean remove(String rule, String key);

}
