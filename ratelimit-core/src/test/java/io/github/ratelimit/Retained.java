package io.github.ratelimit;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Check whether code that is called with long keys retains them.
 */
public final class Retained {

	private Retained() {
	}

	/**
	 * Count how many of ten keys of 65,536 characters are still in memory after use.
	 * @param use the operation, called with each key
	 */
	public static long longKeys(Consumer<String> use) {
		List<WeakReference<String>> keys = IntStream.range(0, 10)
			.mapToObj((i) -> used(i + "x".repeat(65_536), use))
			.toList();
		for (int i = 0; i < 20 && count(keys) > 0; i++) {
			System.gc();
		}
		return count(keys);
	}

	private static WeakReference<String> used(String key, Consumer<String> use) {
		use.accept(key);
		return new WeakReference<>(key);
	}

	private static long count(List<WeakReference<String>> keys) {
		return keys.stream().filter((key) -> key.get() != null).count();
	}

}
