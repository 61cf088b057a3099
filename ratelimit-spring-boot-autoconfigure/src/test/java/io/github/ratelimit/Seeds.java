package io.github.ratelimit;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Where random tests get their seeds: a fixed one, so that every run covers the same
 * ground, and a fresh one, so that every run covers new ground. To repeat a failure run
 * with {@code -Dratelimit.test.seed=...}.
 */
public final class Seeds {

	private static final long FIXED = 20240229;

	private Seeds() {
	}

	public static LongStream seeds() {
		Long given = Long.getLong("ratelimit.test.seed");
		return (given != null) ? LongStream.of(given) : LongStream.of(FIXED, new Random().nextLong());
	}

	/**
	 * How many steps a random test takes.
	 * @param usual if {@code ratelimit.test.steps} does not say
	 */
	public static int steps(int usual) {
		return Integer.getInteger("ratelimit.test.steps", usual);
	}

}
