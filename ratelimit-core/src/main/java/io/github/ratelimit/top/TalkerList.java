package io.github.ratelimit.top;

import java.time.Duration;
import java.util.List;

/**
 * Keys with most calls of one rule and kind, of one or several instances.
 *
 * @param total the calls of all keys
 * @param since how long ago the first of these calls may have been made
 * @param talkers the keys with most of them, the one with most first
 * @since 0.1.0
 */
public record TalkerList(long total, Duration since, List<Talker> talkers) {

	public TalkerList {
		talkers = List.copyOf(talkers);
	}

	/**
	 * Key and its calls.
	 *
	 * @param key the text of its stored form
	 * @param count the number of its calls, never too small
	 * @param error by how much the number may be too large
	 */
	public record Talker(String key, long count, long error) {

	}

}
