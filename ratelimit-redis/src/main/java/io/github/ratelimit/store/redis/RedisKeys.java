package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;

import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;

/**
 * Names of all keys in Redis, with a common prefix.
 */
final class RedisKeys {

	private final String prefix;

	private final Supplier<ScriptReach> reach;

	RedisKeys(String prefix) {
		this(prefix, () -> ScriptReach.ALL_KEYS);
	}

	/**
	 * Create names.
	 * @param reach returns the present reach of scripts
	 */
	RedisKeys(String prefix, Supplier<ScriptReach> reach) {
		this.prefix = prefix;
		this.reach = reach;
	}

	/**
	 * Return new keys that show the distribution of keys over servers, see
	 * {@link Sharding}. If a proxy sends nine of ten keys to one server, all of these
	 * keys belong there once in a thousand times.
	 */
	static byte[][] probes(String prefix) {
		String opening = prefix + ":probe:" + UUID.randomUUID() + ':';
		byte[][] probes = new byte[64][];
		for (int i = 0; i < probes.length; i++) {
			probes[i] = (opening + i).getBytes(StandardCharsets.UTF_8);
		}
		return probes;
	}

	/**
	 * Return the names of the counters of a rule.
	 */
	CounterNames counters(RuleCounts counts) {
		return new CounterNames(this.prefix, counts, this::leases);
	}

	/**
	 * Return the encoded counts of each prepared rule.
	 * @param instance the number of this instance among those that hold slots
	 */
	RuleValue<EncodedCounts> encoded(CallerClock clock, long instance) {
		return new RuleValue<>((counts) -> new EncodedCounts(counts, counters(counts), clock, instance));
	}

	/**
	 * Return the key of the leases of instances that hold slots beside another key. It
	 * differs from every counter: it has no colon between the braces, or ends like none.
	 */
	private byte[] leases(byte[] name) {
		return this.reach.get().leases(this.prefix, name).getBytes(StandardCharsets.UTF_8);
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
	 * Return the key of the overrides of a rule's keys, in the hash slot of the overrides
	 * of rules.
	 */
	byte[] keyOverrides(String rule) {
		return (this.prefix + ":{rules}:keys:" + rule).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the latest changes at run time and who made them.
	 */
	byte[] history() {
		return (this.prefix + ":{rules}:history").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the latest changes of overrides of keys.
	 */
	byte[] keyOverrideChanges() {
		return (this.prefix + ":{rules}:key-changes").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the summaries of a rule. It differs from every counter, as that
	 * of the overrides does.
	 */
	byte[] summaries(String rule) {
		return (this.prefix + ":{top}:" + rule).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of a probe of the server that owns another key.
	 */
	byte[] probe(byte[] name) {
		return (new String(name, StandardCharsets.UTF_8) + ":probe").getBytes(StandardCharsets.UTF_8);
	}

}
