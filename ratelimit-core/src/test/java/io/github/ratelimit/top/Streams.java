package io.github.ratelimit.top;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Streams of keys, as attacks make them.
 */
enum Streams {

	/**
	 * Few keys with most calls, and a long tail.
	 */
	ZIPF {

		@Override
		List<String> keys(int calls, Random random) {
			return keysOf(calls, (i) -> "k" + (int) (1 / Math.pow(random.nextDouble(), 1.2)));
		}

	},

	/**
	 * Every key once, and one key with one call more than that guarantees a counter at
	 * the end.
	 */
	NEW_KEYS_FIRST {

		@Override
		List<String> keys(int calls, Random random) {
			return keysOf(calls, (i) -> (i < calls * 9 / 10) ? "new" + i : "late");
		}

	},

	/**
	 * A heavy key at first, which new keys try to displace.
	 */
	NEW_KEYS_LAST {

		@Override
		List<String> keys(int calls, Random random) {
			return keysOf(calls, (i) -> (i < calls / 10) ? "early" : "new" + i);
		}

	},

	/**
	 * As many keys as there are counters and one more, in turn: each call takes over the
	 * counter of the key that comes next.
	 */
	IN_TURN {

		@Override
		List<String> keys(int calls, Random random) {
			return keysOf(calls, (i) -> "turn" + i % (SIZE + 1));
		}

	},

	/**
	 * Heavy keys among many new ones, in a random order.
	 */
	MIXED {

		@Override
		List<String> keys(int calls, Random random) {
			List<String> keys = keysOf(calls, (i) -> (i % 3 == 0) ? "heavy" + i % 21 : "new" + i);
			Collections.shuffle(keys, random);
			return keys;
		}

	};

	static final int SIZE = 20;

	abstract List<String> keys(int calls, Random random);

	private static List<String> keysOf(int calls, Function<Integer, String> key) {
		return IntStream.range(0, calls).mapToObj(key::apply).collect(Collectors.toCollection(ArrayList::new));
	}

	/**
	 * Return the exact numbers of calls.
	 */
	static Map<String, Long> counts(List<String> keys) {
		return keys.stream().collect(Collectors.groupingBy((key) -> key, Collectors.counting()));
	}

}
