package io.github.ratelimit.client;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Reader of the {@code Retry-After} field of RFC 9110: seconds, or a date in one of its
 * three formats.
 */
final class RetryAfterField {

	/**
	 * Digits that a number of milliseconds has room for.
	 */
	private static final int MOST_DIGITS = 15;

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
	 * @return the time, negative for a date in the past, or {@code null} if the field is
	 * malformed
	 */
	static @Nullable Duration time(String text, Clock clock) {
		if (text.matches("\\d{1," + MOST_DIGITS + '}')) {
			return Duration.ofSeconds(Long.parseLong(text));
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
