package io.github.ratelimit;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Ten thousand keys with equal hash codes, as an attacker could choose them, and as many
 * ordinary keys.
 */
public final class CollidingKeys {

	private static final int MANY = 10_000;

	private static final int ROUNDS = 5;

	private static final List<String> COLLIDING = keys(CollidingKeys::colliding);

	private static final List<String> ORDINARY = keys((i) -> String.format("%028d", 7_919L * i * i));

	private CollidingKeys() {
	}

	private static List<String> keys(IntFunction<String> key) {
		return IntStream.range(0, MANY).mapToObj(key).toList();
	}

	/**
	 * "Aa" and "BB" have the same hash code, and so have all their concatenations of
	 * equal length.
	 */
	private static String colliding(int number) {
		StringBuilder key = new StringBuilder();
		for (int bit = 0; bit < 14; bit++) {
			key.append(((number >> bit & 1) == 0) ? "Aa" : "BB");
		}
		return key.toString();
	}

	/**
	 * Measure how many times longer an operation takes with keys of equal hash codes.
	 * @param use the operation, called several times with each key
	 * @return a small number if keys are searched as a tree; more than 100 if linearly
	 */
	public static double slowdown(Consumer<String> use) {
		return best(COLLIDING, use) / best(ORDINARY, use);
	}

	private static double best(List<String> keys, Consumer<String> use) {
		long best = Long.MAX_VALUE;
		for (int round = 0; round < ROUNDS; round++) {
			long start = System.nanoTime();
			keys.forEach(use);
			best = Math.min(best, System.nanoTime() - start);
		}
		return best;
	}

}
