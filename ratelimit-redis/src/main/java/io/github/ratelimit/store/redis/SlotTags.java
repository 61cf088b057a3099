package io.github.ratelimit.store.redis;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Hash tags of all slots of a cluster: the smallest number for each.
 */
final class SlotTags {

	private SlotTags() {
	}

	static String of(int slot) {
		return Integer.toString(Table.NUMBERS[slot]);
	}

	/**
	 * Table that is computed when it is first needed.
	 */
	private static final class Table {

		static final int[] NUMBERS = numbers();

		private static int[] numbers() {
			int[] numbers = new int[ClusterSlotHashUtil.SLOT_COUNT];
			for (int number = 1, missing = numbers.length; missing > 0; number++) {
				int slot = ClusterSlotHashUtil.calculateSlot(Integer.toString(number));
				if (numbers[slot] == 0) {
					numbers[slot] = number;
					missing--;
				}
			}
			return numbers;
		}

	}

}
