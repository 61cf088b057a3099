package io.github.ratelimit.notation;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Durations in words, {@code 5 minutes} or {@code 1h 30min}, which are no durations of
 * configuration files. Messages tell what to write instead.
 *
 * @since 0.1.0
 */
public final class DurationWords {

	private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?|an?\\s|one\\s)?\\s*(?:(ms|msecs?|milli\\w*)"
			+ "|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?)|(w|weeks?))(?![a-z])\\.?[\\s,]*(?:and\\s+)?");

	private static final ChronoUnit[] UNITS = { ChronoUnit.MILLIS, ChronoUnit.SECONDS, ChronoUnit.MINUTES,
			ChronoUnit.HOURS, ChronoUnit.DAYS, ChronoUnit.WEEKS };

	private DurationWords() {
	}

	/**
	 * Return what a duration in words means, {@code 5m} for {@code 5 minutes} for
	 * example, or {@code null} if a text is none. A unit alone is one of it.
	 */
	public static @Nullable String meaning(String text) {
		Matcher part = PART.matcher(text.strip().toLowerCase(Locale.ROOT));
		Duration sum = Duration.ZERO;
		int end = 0;
		try {
			while (part.find() && part.start() == end) {
				sum = sum.plus(duration(part));
				end = part.end();
			}
		}
		catch (ArithmeticException ex) {
			return null;
		}
		return (end > 0 && end == text.strip().length()) ? DurationText.of(sum) : null;
	}

	/**
	 * Return the advice for a text that is no duration.
	 * @param attribute the attribute that it is the value of, in kebab case
	 * @param example a value, {@code 60s} for example
	 * @param unit the unit of a number alone, {@code seconds} for example
	 * @return the advice, with the attribute quoted for a {@link Notation}
	 */
	public static String remedy(String text, String attribute, String example, String unit) {
		String meaning = meaning(text);
		return (meaning != null) ? "Write `" + attribute + ": " + meaning + "`."
				: "Write a number and ms, s, m, h or d, `" + attribute + ": " + example
						+ "` for example; a number alone means " + unit + '.';
	}

	private static Duration duration(Matcher part) {
		int unit = 0;
		while (part.group(2 + unit) == null) {
			unit++;
		}
		String number = part.group(1);
		boolean isNumber = number != null && Character.isDigit(number.charAt(0));
		return Duration.ofNanos((isNumber ? new BigDecimal(number) : BigDecimal.ONE)
			.multiply(BigDecimal.valueOf(UNITS[unit].getDuration().toNanos()))
			.longValueExact());
	}

}
