package io.github.ratelimit.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Parts of the answer to an outgoing request that determine when to send the next one.
 *
 * @param status the status of the answer
 * @param retryAfter the lines of the {@code Retry-After} field, none if there is no such
 * field
 * @param rateLimit the {@code RateLimit} field, its lines joined, {@code null} if there
 * is none
 * @since 0.1.0
 */
public record Answer(int status, List<String> retryAfter, @Nullable String rateLimit) {

	/**
	 * Read an answer.
	 * @param headers its header fields with all of their lines
	 */
	public static Answer of(int status, Iterable<Map.Entry<String, List<String>>> headers) {
		List<String> rateLimit = lines("ratelimit", headers);
		return new Answer(status, lines("retry-after", headers),
				rateLimit.isEmpty() ? null : String.join(", ", rateLimit));
	}

	private static List<String> lines(String name, Iterable<Map.Entry<String, List<String>>> headers) {
		for (Map.Entry<String, List<String>> header : headers) {
			if (header.getKey().toLowerCase(Locale.ROOT).equals(name)) {
				return header.getValue();
			}
		}
		return List.of();
	}

}
