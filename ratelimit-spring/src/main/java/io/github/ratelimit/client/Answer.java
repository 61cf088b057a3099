package io.github.ratelimit.client;

import java.math.BigInteger;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

	/**
	 * Reader of the {@code RateLimit} field of draft-ietf-httpapi-ratelimit-headers: a
	 * list of items with parameters, as in RFC 9651. A malformed field has no meaning.
	 */
	static final class RateLimitField {

		private static final int LONGEST = 8_192;

		private static final String BARE_ITEM = "\"(?:[ !#-\\[\\]-~]|\\\\[\"\\\\]){0,1024}+\""
				+ "|[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*+|-?\\d{1,12}\\.\\d{1,3}|@?-?\\d{1,15}|\\?[01]|:[A-Za-z0-9+/=]*+:";

		private static final Pattern ITEM = Pattern.compile(BARE_ITEM);

		private static final Pattern PARAMETER = Pattern.compile("; *+([a-z*][a-z0-9_.*-]*+)(?:=(" + BARE_ITEM + "))?");

		private static final Pattern SEPARATOR = Pattern.compile("[ \\t]*+,[ \\t]*+");

		private static final Pattern COUNT = Pattern.compile("\\d{1,15}");

		private final String text;

		private int position;

		private RateLimitField(String text) {
			this.text = text.strip();
		}

		static @Nullable Duration exhaustedFor(String text) {
			return (text.length() > LONGEST) ? null : new RateLimitField(text).read();
		}

		private @Nullable Duration read() {
			long longest = -1;
			do {
				if (next(ITEM) == null) {
					return null;
				}
				longest = Math.max(longest, exhaustedFor(parameters()));
			}
			while (next(SEPARATOR) != null);
			return (this.position == this.text.length() && longest >= 0) ? Duration.ofSeconds(longest) : null;
		}

		private Map<String, String> parameters() {
			Map<String, String> parameters = new HashMap<>();
			for (Matcher next = next(PARAMETER); next != null; next = next(PARAMETER)) {
				parameters.put(next.group(1), (next.group(2) != null) ? next.group(2) : "?1");
			}
			return parameters;
		}

		private static long exhaustedFor(Map<String, String> parameters) {
			String remaining = parameters.getOrDefault("r", "");
			String time = parameters.getOrDefault("t", "");
			boolean isExhausted = COUNT.matcher(remaining).matches() && Long.parseLong(remaining) == 0;
			return (isExhausted && COUNT.matcher(time).matches()) ? Long.parseLong(time) : -1;
		}

		private @Nullable Matcher next(Pattern pattern) {
			Matcher matcher = pattern.matcher(this.text).region(this.position, this.text.length());
			if (!matcher.lookingAt()) {
				return null;
			}
			this.position = matcher.end();
			return matcher;
		}

	}

	/**
	 * Reader of the {@code Retry-After} field of RFC 9110: seconds, or a date in one of
	 * its three formats.
	 */
	static final class RetryAfterField {

		private static final BigInteger LONGEST = BigInteger.TEN.pow(15);

		/**
		 * No date and no sensible number is longer. The time to read a number grows with
		 * the square of its digits.
		 */
		private static final int LONGEST_TEXT = 64;

		private static final List<DateTimeFormatter> DATES = List.of(DateTimeFormatter.RFC_1123_DATE_TIME,
				format("EEEE, dd-MMM-yy HH:mm:ss 'GMT'"), format("EEE MMM ppd HH:mm:ss yyyy"));

		private RetryAfterField() {
		}

		private static DateTimeFormatter format(String pattern) {
			return DateTimeFormatter.ofPattern(pattern, Locale.US).withZone(ZoneOffset.UTC);
		}

		/**
		 * Return the time until a request may be repeated.
		 * @param clock the clock for dates
		 * @return the time, negative for a date in the past, or {@code null} if the field
		 * is malformed
		 */
		static @Nullable Duration time(String text, Clock clock) {
			if (text.length() > LONGEST_TEXT) {
				return null;
			}
			if (text.matches("\\d+")) {
				return Duration.ofSeconds(new BigInteger(text).min(LONGEST).longValue());
			}
			for (DateTimeFormatter format : DATES) {
				try {
					return Duration.between(clock.instant(), format.parse(text, Instant::from));
				}
				catch (DateTimeException ex) {
					// another format, or none
				}
			}
			return null;
		}

	}

}
