package io.github.ratelimit.benchmarks.measure;

import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Choice of the next key of each caller. All keys have the same length.
 */
@FunctionalInterface
public interface Keys {

	/**
	 * Return the keys of a new caller, to be used by one thread.
	 */
	Supplier<String> forCaller();

	/**
	 * Return one key for all callers.
	 */
	static Keys hot() {
		String key = key(0);
		return () -> () -> key;
	}

	/**
	 * Return one of several keys at random for each call.
	 */
	static Keys many(int count) {
		String[] keys = all(count).toArray(String[]::new);
		return () -> {
			SplittableRandom random = new SplittableRandom();
			return () -> keys[random.nextInt(keys.length)];
		};
	}

	/**
	 * Return a new key in one of a hundred calls, and otherwise keys as {@link #many}.
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
	 * Return the keys of {@link #many}.
	 */
	static List<String> all(int count) {
		return IntStream.range(0, count).mapToObj(Keys::key).toList();
	}

	private static String key(int number) {
		return "user-%09d".formatted(number);
	}

}
