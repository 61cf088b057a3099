package io.github.ratelimit.client;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Parts of the answer to an outgoing request that determine when to send the next one.
 *
 * @param status the status of the answer
 * @param retryAfter the {@code Retry-After} field, {@code null} if there is none
 * @param rateLimit the {@code RateLimit} field, its lines joined, {@code null} if there
 * is none
 * @since 0.1.0
 */
public record Answer(int status, @Nullable String retryAfter, @Nullable String rateLimit) {

	/**
	 * Read an answer.
	 * @param status its status
	 * @param headers its header fields with all of their lines
	 * @return the answer
	 */
	public static Answer of(int status, Iterable<Map.Entry<String, List<String>>> headers) {
		return new Answer(status, field("retry-after", headers), field("ratelimit", headers));
	}

	private static @Nullable String field(String name, Iterable<Map.Entry<String, List<String>>> headers) {
		for (Map.Entry<String, List<String>> header : headers) {
			if (header.getKey().toLowerCase(Locale.ROOT).equals(name)) {
				return String.join(", ", header.getValue());
			}
		}
		return null;
	}

}
