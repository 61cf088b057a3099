package io.github.ratelimit.store.tck;

import java.util.Random;
import java.util.stream.LongStream;

/**
 * Seeds of random tests: a fixed one, so that a build of one state of the code always has
 * the same result. New coverage comes from fresh seeds, of which
 * {@code -Dratelimit.test.fresh-seeds=20} adds twenty. To repeat a failure, run with
 * {@code -Dratelimit.test.seed=...}.
 *
 * @since 0.1.0
 */
public final class Seeds {

	private static final long FIXED = 20240229;

	private Seeds() {
	}

	/**
	 * Return the seeds of this run.
	 * @return one seed or more
	 */
	public static LongStream seeds() {
		Long given = Long.getLong("ratelimit.test.seed");
		return (given != null) ? LongStream.of(given) : LongStream.concat(LongStream.of(FIXED),
				new Random().longs(Integer.getInteger("ratelimit.test.fresh-seeds", 0)));
	}

	/**
	 * Return the number of steps of a random test, unless {@code ratelimit.test.steps}
	 * sets another.
	 * @param thorough the number with {@code -Dratelimit.test.thorough=true}; else it is
	 * divided by {@code ratelimit.test.part-of-walks}, which is 5 by default
	 * @return the number of steps
	 */
	public static int steps(int thorough) {
		return Integer.getInteger("ratelimit.test.steps", Boolean.getBoolean("ratelimit.test.thorough") ? thorough
				: thorough / Integer.getInteger("ratelimit.test.part-of-walks", 5));
	}

}
