package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;

import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleValue;

/** Names of all keys in Redis, with a common prefix. */
final class RedisKeys {

	private final String prefix;

	private final Supplier<ScriptReach> reach;

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
			probes[i] = utf8(opening + i);
		}
		return probes;
	}

	CounterNames counters(RuleCounts counts) {
		return new CounterNames(this.prefix, counts, this::leases);
	}

	RuleValue<EncodedCounts> encoded(CallerClock clock, long instance) {
		return new RuleValue<>((counts) -> new EncodedCounts(counts, counters(counts), clock, instance));
	}

	/**
	 * Return the key of the leases of instances that hold slots beside another key. It
	 * differs from every counter: it has no colon between the braces, or ends like none.
	 */
	private byte[] leases(byte[] name) {
		return utf8(this.reach.get().leases(this.prefix, name));
	}

	byte[] probe() {
		return key(":probe");
	}

	/** Return the key of a probe of the server that owns another key. */
	static byte[] probe(byte[] name) {
		return utf8(new String(name, StandardCharsets.UTF_8) + ":probe");
	}

	/**
	 * Return the key of the overrides of rules. It differs from every counter, whose name
	 * has a colon between the braces; so do the following ones.
	 */
	byte[] overrides() {
		return key(":{rules}");
	}

	byte[] keyOverrides(String rule) {
		return key(":{rules}:keys:" + rule);
	}

	/** Return the key of the latest changes of overrides of keys. */
	byte[] keyOverrideChanges() {
		return key(":{rules}:key-changes");
	}

	/** Return the key of the latest changes at run time and who made them. */
	byte[] history() {
		return key(":{rules}:history");
	}

	/** Return the key of what operators read of a rule beside its counts. */
	byte[] ofRule(String kind, String rule) {
		return key(":{" + kind + "}:" + rule);
	}

	private byte[] key(String ending) {
		return utf8(this.prefix + ending);
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

}
