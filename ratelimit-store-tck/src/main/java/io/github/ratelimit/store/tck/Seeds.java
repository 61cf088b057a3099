package io.github.ratelimit.store.tck;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of random tests: a fixed one, so that a build of one state of the code always has
 * the same result. New coverage comes from fresh seeds, of which
 * {@code -Dratelimit.test.fresh-seeds=20} adds twenty. To repeat a failure, run with
 * {@code -Dratelimit.test.seed=...}.
 */
public final class Seeds {

	private static final long FIXED = 20240229;

	private Seeds() {
	}

	public static LongStream seeds() {
		Long given = Long.getLong("ratelimit.test.seed");
		return (given != null) ? LongStream.of(given) : LongStream.concat(LongStream.of(FIXED),
				new Random().longs(Integer.getInteger("ratelimit.test.fresh-seeds", 0)));
	}

	/**
	 * Return the number of steps of a random test, unless {@code ratelimit.test.steps}
	 * sets another.
	 * @param thorough the number with {@code -Dratelimit.test.thorough=true}; else it is
	 * a fifth of that in CI, and a tenth elsewhere
	 */
	public static int steps(int thorough) {
		return Integer.getInteger("ratelimit.test.steps", Boolean.getBoolean("ratelimit.test.thorough") ? thorough
				: thorough / Integer.getInteger("ratelimit.test.part-of-walks", 5));
	}

}
