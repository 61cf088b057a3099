package io.github.ratelimit;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Check whether code retains what it is called with.
 */
public final class Retained {

	private Retained() {
	}

	/**
	 * Count how many of ten keys of 65,536 characters are still in memory after use.
	 * @param use the operation, called with each key
	 */
	public static long longKeys(Consumer<String> use) {
		return objects((i) -> {
			String key = i + "x".repeat(65_536);
			use.accept(key);
			return key;
		});
	}

	/**
	 * Count how many of ten objects are still in memory after use.
	 * @param use creates an object by its number, and uses it
	 */
	public static long objects(IntFunction<Object> use) {
		return objects(use, () -> {
		});
	}

	/**
	 * Count how many of ten objects are still in memory after use.
	 * @param use creates an object by its number, and uses it
	 * @param later follows each collection of garbage
	 */
	public static long objects(IntFunction<Object> use, Runnable later) {
		List<WeakReference<Object>> used = IntStream.range(0, 10)
			.mapToObj((i) -> new WeakReference<>(use.apply(i)))
			.toList();
		for (int i = 0; i < 20 && count(used) > 0; i++) {
			System.gc();
			later.run();
		}
		return count(used);
	}

	private static long count(List<WeakReference<Object>> used) {
		return used.stream().filter((each) -> each.get() != null).count();
	}

}
