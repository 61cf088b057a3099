package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.Limit;

/**
 * Random numbers of every order of magnitude.
 */
public final class RandomNumbers {

	private RandomNumbers() {
	}

	/**
	 * Return a number within bounds; each order of magnitude is equally likely.
	 */
	public static long magnitude(Random random, long from, long to) {
		double logarithm = Math.log(from) + random.nextDouble() * (Math.log(to) - Math.log(from));
		return Math.max(from, Math.min(to, Math.round(Math.exp(logarithm))));
	}

	public static long between(Random random, long from, long to) {
		return (to <= from) ? from : from + Math.floorMod(random.nextLong(), to - from + 1);
	}

	public static Duration period(Random random) {
		return switch (random.nextInt(10)) {
			case 0 -> Duration.ofSeconds(1);
			case 1 -> Duration.ofMinutes(1);
			case 2 -> Duration.ofMillis(1);
			case 3 -> Limit.MAX_PERIOD;
			default -> Duration.ofMillis(magnitude(random, 1, Limit.MAX_PERIOD.toMillis()));
		};
	}

}
