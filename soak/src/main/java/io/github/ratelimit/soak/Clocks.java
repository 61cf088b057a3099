package io.github.ratelimit.soak;

import java.time.Duration;

/**
 * Difference between the clock of the store and that of the callers.
 */
final class Clocks {

	private static final long LEAST = Duration.ofMillis(2).toNanos();

	private Clocks() {
	}

	/**
	 * Return a time that is shorter than a period by either clock.
	 */
	static long certainlyWithin(Duration period) {
		return period.toNanos() - uncertainty(period);
	}

	/**
	 * Return a time that is longer than a period by either clock.
	 */
	static long certainlyBeyond(Duration period) {
		return period.toNanos() + uncertainty(period);
	}

	private static long uncertainty(Duration period) {
		return Math.max(LEAST, period.toNanos() / 200);
	}

}
