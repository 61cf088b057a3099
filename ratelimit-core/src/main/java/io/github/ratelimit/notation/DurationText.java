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
	 * Write a duration in the largest unit of which it is a whole number: {@code 1m} for
	 * a minute, {@code 1500ms} for a second and a half.
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
	 * Write a duration for people, in the largest unit of which it is a whole number:
	 * {@code 1 min} for a minute, {@code 1500 ms} for a second and a half.
	 */
	public static String forPeople(Duration duration) {
		return of(duration).replaceAll("(?<=\\d)(?=(ms|[smhd])$)", " ").replaceAll(" m$", " min");
	}

	/**
	 * Write a duration, not negative, for people by its two largest units, rounded up:
	 * {@code 3 h 54 min} for 13,989 seconds, {@code 2 s} for a second and a half.
	 */
	public static String roundedUp(Duration duration) {
		if (duration.toSeconds() == 0) {
			return ceil(duration.getNano(), 1_000_000) + " ms";
		}
		long seconds = duration.getSeconds() + ceil(duration.getNano(), 1_000_000_000);
		if (seconds <= 120) {
			return seconds + " s";
		}
		if (seconds < 3600) {
			return inTwoUnits(seconds, "min", 60, "s");
		}
		long minutes = ceil(seconds, 60);
		return (minutes < 24 * 60) ? inTwoUnits(minutes, "h", 60, "min") : inTwoUnits(ceil(minutes, 60), "d", 24, "h");
	}

	private static long ceil(long count, int size) {
		return (count + size - 1) / size;
	}

	private static String inTwoUnits(long small, String largerUnit, int smallPerLarger, String smallUnit) {
		String larger = small / smallPerLarger + " " + largerUnit;
		long rest = small % smallPerLarger;
		return (rest == 0) ? larger : larger + ' ' + rest + ' ' + smallUnit;
	}

}
