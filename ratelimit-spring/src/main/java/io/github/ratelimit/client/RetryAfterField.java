package io.github.ratelimit.client;

import java.math.BigInteger;
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
	 * Seconds that stand for any longer time, some 30 million years.
	 */
	private static final BigInteger LONGEST = BigInteger.TEN.pow(15);

	/**
	 * No date and no sensible number is longer. The time to read a number grows with the
	 * square of its digits.
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
	 * @return the time, negative for a date in the past, or {@code null} if the field is
	 * malformed
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
