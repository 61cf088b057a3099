package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Mode;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/** Format of values in the answers of the endpoint. */
final class EndpointFormat {

	private static final Duration LONGEST_COUNTDOWN = Duration.ofHours(1);

	private EndpointFormat() {
	}

	static String mode(@Nullable Mode mode) {
		return KebabCase.of((mode != null) ? mode : Mode.ENFORCE);
	}

	/** Return whether all calls proceed, whatever is decided. */
	static boolean deniesNone(@Nullable Mode mode) {
		return mode == Mode.SHADOW || mode == Mode.OFF;
	}

	static String isDenied(@Nullable Mode mode) {
		return deniesNone(mode) ? "would be denied" : "is denied";
	}

	/**
	 * Format a time for people: {@code in 1.5 s}, or beyond an hour the instant at which
	 * it is over.
	 */
	static String when(Instant now, Duration duration) {
		return (duration.compareTo(LONGEST_COUNTDOWN) > 0) ? "at " + instant(now, duration) : "in " + time(duration);
	}

	private static String time(Duration duration) {
		long millis = millis(duration);
		return (millis < 1000) ? millis + " ms"
				: String.format(Locale.ROOT, "%.1f s", Math.ceil(millis / 100.0) / 10).replace(".0 s", " s");
	}

	/**
	 * Format how much a limit admits: {@code 5 per 1m}, or {@code 3 at once} of slots.
	 */
	static String numbers(long max, @Nullable CalendarUnit calendar, Duration period) {
		return max + (period.isZero() ? " at once" : " per " + window(calendar, period));
	}

	/** Format the window of a limit: {@code 1m}, or the unit of its calendar. */
	static String window(@Nullable CalendarUnit calendar, Duration period) {
		return (calendar != null) ? calendar.yamlName() : DurationText.of(period);
	}

	static String instant(Instant now, Duration until) {
		return now.plus(until).plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS).toString();
	}

	/** Return milliseconds, rounded up: a call after that time is not too early. */
	static long millis(Duration duration) {
		long millis = duration.toMillis();
		return (duration.minusMillis(millis).isZero()) ? millis : millis + 1;
	}

}
