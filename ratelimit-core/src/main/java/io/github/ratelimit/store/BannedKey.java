package io.github.ratelimit.store;

import java.time.Duration;

/**
 * Key that is banned.
 *
 * @param key the key as it is stored: of a long one its hash
 * @param endsAfter the time until the ban ends
 * @since 0.1.0
 */
public record BannedKey(String key, Duration endsAfter) {

	/**
	 * Largest number of keys that a store lists.
	 */
	public static final int MOST = 1000;

}
