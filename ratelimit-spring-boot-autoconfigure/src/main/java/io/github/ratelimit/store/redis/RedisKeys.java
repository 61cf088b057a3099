package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import io.github.ratelimit.store.RuleCounts;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

/**
 * Names of all keys in Redis, with a common prefix.
 */
final class RedisKeys {

	private final String prefix;

	private final boolean cluster;

	RedisKeys(String prefix) {
		this(prefix, false);
	}

	/**
	 * Create names.
	 * @param cluster whether keys of one script call have to be in the same slot
	 */
	RedisKeys(String prefix, boolean cluster) {
		this.prefix = prefix;
		this.cluster = cluster;
	}

	/**
	 * Return the names of the counters of a rule.
	 */
	CounterNames counters(RuleCounts counts) {
		return new CounterNames(this.prefix, counts, this::leases);
	}

	/**
	 * Return the key of the leases of instances that hold slots beside another key: in
	 * its slot of a cluster, else the only one. It differs from every counter, as that of
	 * the overrides does.
	 */
	private byte[] leases(byte[] name) {
		String tag = this.cluster ? SlotTags.of(ClusterSlotHashUtil.calculateSlot(name)) : "leases";
		return (this.prefix + ":{" + tag + "}:leases").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of a probe.
	 */
	byte[] probe() {
		return (this.prefix + ":probe").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the overrides. It differs from every counter, whose name has a
	 * colon between the braces.
	 */
	byte[] overrides() {
		return (this.prefix + ":{rules}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the list of the bans of a rule. It differs from every counter, as
	 * that of the overrides does.
	 */
	byte[] bans(String rule) {
		return (this.prefix + ":{bans}:" + rule).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the overrides of a rule's keys, in the slot of the overrides of
	 * rules.
	 */
	byte[] keyOverrides(String rule) {
		return (this.prefix + ":{rules}:keys:" + rule).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the latest changes of overrides of keys.
	 */
	byte[] keyOverrideChanges() {
		return (this.prefix + ":{rules}:key-changes").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of a probe of the server that owns another key.
	 */
	byte[] probe(byte[] name) {
		return (new String(name, StandardCharsets.UTF_8) + ":probe").getBytes(StandardCharsets.UTF_8);
	}

}
