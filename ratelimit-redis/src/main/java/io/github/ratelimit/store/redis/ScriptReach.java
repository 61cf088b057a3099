package io.github.ratelimit.store.redis;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Keys that one script call can reach together, from most to fewest. Batches,
 * corrections, sequences and the names of leases depend on it, and do not ask whether
 * there is a cluster or a proxy.
 */
enum ScriptReach {

	/** All keys, since one server has them. */
	ALL_KEYS,

	/** Keys of the same hash slot of a cluster. */
	HASH_SLOT,

	/**
	 * Keys of the same rule and key. A proxy sends a script to the server of its first
	 * key, so all scripts of a rule and key have the same first key.
	 */
	RULE_AND_KEY;

	/**
	 * Return the group, equal for keys that can be sent together, of the first key of a
	 * rule and key.
	 */
	Object group(byte[] first) {
		return switch (this) {
			case ALL_KEYS -> "redis";
			case HASH_SLOT -> ClusterSlotHashUtil.calculateSlot(first);
			case RULE_AND_KEY -> ByteBuffer.wrap(first);
		};
	}

	/**
	 * Return whether a script that Redis has refused was meant to reach its keys. If not,
	 * they were chosen for a larger reach.
	 */
	boolean reaches(Stream<byte[]> keys) {
		return this != HASH_SLOT || keys.map(this::group).distinct().count() <= 1;
	}

	/**
	 * Return the queue of calls, that of a hash slot behind a proxy: there are too many
	 * keys for queues of their own.
	 */
	Object queue(byte[] first) {
		return (this == ALL_KEYS) ? "redis" : ClusterSlotHashUtil.calculateSlot(first);
	}

	Collection<List<PendingCall>> groups(List<PendingCall> calls) {
		return (this == RULE_AND_KEY) ? PendingCall.byKeys(calls) : List.of(calls);
	}

	/** Return the key of the leases of instances that hold slots beside another key. */
	String leases(String prefix, byte[] first) {
		return switch (this) {
			case ALL_KEYS -> prefix + ":{leases}:leases";
			case HASH_SLOT -> prefix + ":{" + HashTags.NUMBERS[ClusterSlotHashUtil.calculateSlot(first)] + "}:leases";
			case RULE_AND_KEY -> {
				String name = new String(first, StandardCharsets.UTF_8);
				yield name.substring(0, name.lastIndexOf("}:")) + "}:leases";
			}
		};
	}

	/**
	 * Return the keys of a script that concerns fewer keys than others, whose first key
	 * it needs.
	 */
	byte[][] routed(byte[] first, byte[]... names) {
		return (this != RULE_AND_KEY) ? names
				: Stream.concat(Stream.of(first), Arrays.stream(names)).toArray(byte[][]::new);
	}

	ScriptReach smaller() {
		return (this == ALL_KEYS) ? HASH_SLOT : RULE_AND_KEY;
	}

	/**
	 * Hash tags of all hash slots, the smallest number for each, computed when they are
	 * first needed.
	 */
	private static final class HashTags {

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
