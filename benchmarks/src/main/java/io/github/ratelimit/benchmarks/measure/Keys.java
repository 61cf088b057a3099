package io.github.ratelimit.benchmarks.measure;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Which key each caller asks for next. All keys have the same length.
 */
@FunctionalInterface
public interface Keys {

	/**
	 * The keys of one more caller, to be used by one thread.
	 */
	Supplier<String> forCaller();

	/**
	 * All callers share one key.
	 */
	static Keys hot() {
		String key = key(0);
		return () -> () -> key;
	}

	/**
	 * Each call is for one of some keys, at random.
	 */
	static Keys many(int count) {
		String[] keys = all(count).toArray(String[]::new);
		return () -> {
			SplittableRandom random = new SplittableRandom();
			return () -> keys[random.nextInt(keys.length)];
		};
	}

	/**
	 * One call of a hundred is for a key that was never used, the others as
	 * {@link #many}.
	 */
	static Keys attack(int count) {
		String[] keys = all(count).toArray(String[]::new);
		AtomicLong fresh = new AtomicLong(System.currentTimeMillis() % 100_000 * 100_000);
		return () -> {
			SplittableRandom random = new SplittableRandom();
			return () -> (random.nextInt(100) == 0) ? "new-%010d".formatted(fresh.getAndIncrement())
					: keys[random.nextInt(keys.length)];
		};
	}

	/**
	 * The keys of {@link #many}.
	 */
	static List<String> all(int count) {
		return IntStream.range(0, count).mapToObj(Keys::key).toList();
	}

	private static String key(int number) {
		return "user-%09d".formatted(number);
	}

}
