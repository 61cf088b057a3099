package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import org.springframework.data.redis.connection.ClusterSlotHashUtil;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.Tally;

/**
 * Names of counters in Redis: {@code ratelimit:{reply:laoqian}:times}, and
 * {@code ratelimit:{sms:laoqian}:times:minute} for one of several limits.
 *
 * <p>
 * The braces are Redis's hash tag: all limits of a rule and key share a cluster slot. A
 * name is unambiguous whatever the key holds, because rules, kinds and limits are made of
 * {@code [a-z0-9-]} and therefore end at the first colon, or begin after the last
 * {@code }:}. The kind is part of it because its states mean nothing to another one.
 */
final class RedisKeys {

	private final String prefix;

	RedisKeys(String prefix) {
		this.prefix = prefix;
	}

	byte[] name(RateLimitRule rule, Tally tally, StoredKey key) {
		String name = this.prefix + ":{" + rule.name() + ':' + key.textInUtf8() + "}:" + tally.kind();
		return ((tally.name() != null) ? name + ':' + tally.name() : name).getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * The names of all counts of a rule and key.
	 */
	byte[][] names(RateLimitRule rule, StoredKey key) {
		return Tally.of(rule, 0).stream().map((tally) -> name(rule, tally, key)).toArray(byte[][]::new);
	}

	/**
	 * The slot of a cluster that the counts of a rule and key share.
	 */
	int slot(Demand demand) {
		return ClusterSlotHashUtil.calculateSlot(firstName(demand));
	}

	byte[] firstName(Demand demand) {
		return name(demand.rule(), Tally.of(demand.rule(), 0).get(0), demand.key());
	}

	/**
	 * A key that counts nothing.
	 */
	byte[] probe() {
		return (this.prefix + ":probe").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Where overrides are kept. No counter is named so: theirs have a colon between the
	 * braces.
	 */
	byte[] overrides() {
		return (this.prefix + ":{rules}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * A key that is with another one, on the same server, and counts nothing.
	 */
	byte[] probe(byte[] name) {
		return (new String(name, StandardCharsets.UTF_8) + ":probe").getBytes(StandardCharsets.UTF_8);
	}

}
