package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Random;

import io.github.ratelimit.Limit;

/**
 * Random numbers of every order of magnitude.
 *
 * @since 0.1.0
 */
public final class RandomNumbers {

	private RandomNumbers() {
	}

	/**
	 * Return a number within bounds; each order of magnitude is equally likely.
	 * @param random the source of randomness
	 * @param from the smallest number, 1 or more
	 * @param to the largest number
	 * @return the number
	 */
	public static long magnitude(Random random, long from, long to) {
		double logarithm = Math.log(from) + random.nextDouble() * (Math.log(to) - Math.log(from));
		return Math.max(from, Math.min(to, Math.round(Math.exp(logarithm))));
	}

	/**
	 * Return a number within bounds; each is equally likely.
	 * @param random the source of randomness
	 * @param from the smallest number
	 * @param to the largest number
	 * @return the number, {@code from} if {@code to} is smaller
	 */
	public static long between(Random random, long from, long to) {
		return (to <= from) ? from : from + Math.floorMod(random.nextLong(), to - from + 1);
	}

	/**
	 * Return a period that a limit can have, often one that is common or extreme.
	 * @param random the source of randomness
	 * @return the period
	 */
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
