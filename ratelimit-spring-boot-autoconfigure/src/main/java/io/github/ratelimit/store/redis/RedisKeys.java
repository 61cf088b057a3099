package io.github.ratelimit.store.redis;

import java.nio.charset.StandardCharsets;

import io.github.ratelimit.store.RuleCounts;

/**
 * Names of everything in Redis, which begin with a common prefix.
 */
final class RedisKeys {

	private final String prefix;

	RedisKeys(String prefix) {
		this.prefix = prefix;
	}

	/**
	 * Return the names of the counters of a rule.
	 */
	CounterNames counters(RuleCounts counts) {
		return new CounterNames(this.prefix, counts);
	}

	/**
	 * Return a key that counts nothing.
	 */
	byte[] probe() {
		return (this.prefix + ":probe").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return the key of the overrides. No counter is named so: theirs have a colon
	 * between the braces.
	 */
	byte[] overrides() {
		return (this.prefix + ":{rules}").getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Return a key on the same server as another one that counts nothing.
	 */
	byte[] probe(byte[] name) {
		return (new String(name, StandardCharsets.UTF_8) + ":probe").getBytes(StandardCharsets.UTF_8);
	}

}
