package io.github.ratelimit.store.redis;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Hash tags of all hash slots of a cluster: the smallest number for each.
 */
final class HashTags {

	private HashTags() {
	}

	static String of(int hashSlot) {
		return Integer.toString(Table.NUMBERS[hashSlot]);
	}

	/**
	 * Table that is computed when it is first needed.
	 */
	private static final class Table {

		static final int[] NUMBERS = numbers();

		private static int[] numbers() {
			int[] numbers = new int[ClusterSlotHashUtil.SLOT_COUNT];
			for (int number = 1, missing = numbers.length; missing > 0; number++) {
				int hashSlot = ClusterSlotHashUtil.calculateSlot(Integer.toString(number));
				if (numbers[hashSlot] == 0) {
					numbers[hashSlot] = number;
					missing--;
				}
			}
			return numbers;
		}

	}

}
