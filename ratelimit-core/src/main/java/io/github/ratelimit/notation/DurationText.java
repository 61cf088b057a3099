package io.github.ratelimit.notation;

import java.time.Duration;

/**
 * Text of durations as in configuration files: {@code 90s}, {@code 1d}.
 *
 * @since 0.1.0
 */
public final class DurationText {

	private static final String[] UNITS = { "s", "m", "h", "d" };

	private static final long[] SIZES = { 1, 60, 60, 24 };

	private DurationText() {
	}

	/**
	 * Write a duration in the largest unit of which it is a whole number.
	 * @param duration the duration
	 * @return {@code 1m} for a minute, {@code 1500ms} for a second and a half
	 */
	public static String of(Duration duration) {
		if (duration.isZero()) {
			return "0ms";
		}
		long count = duration.getSeconds();
		if (duration.getNano() != 0) {
			boolean isOfMillis = duration.getNano() % 1_000_000 == 0 && Math.abs(count) < Long.MAX_VALUE / 1000;
			return isOfMillis ? duration.toMillis() + "ms" : duration.toString();
		}
		int unit = 0;
		while (unit + 1 < UNITS.length && count % SIZES[unit + 1] == 0) {
			unit++;
			count /= SIZES[unit];
		}
		return count + UNITS[unit];
	}

	/**
	 * Write a duration for people, in the largest unit of which it is a whole number.
	 * @param duration the duration
	 * @return {@code 1 min} for a minute, {@code 1500 ms} for a second and a half
	 */
	public static String forPeople(Duration duration) {
		return of(duration).replaceAll("(?<=\\d)(?=(ms|[smhd])$)", " ").replaceAll(" m$", " min");
	}

}
