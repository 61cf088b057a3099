package io.github.ratelimit.benchmarks.peer;

import io.github.ratelimit.benchmarks.measure.Quota;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.script.DefaultRedisScript;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Least that a bucket in Redis costs: a script of eight lines with one {@code GET} and
 * one {@code SET}. It decides one call by one bucket, in floating point, and answers yes
 * or no.
 */
final class MinimalBucket {

	static final RedisScript<Long> SCRIPT = script();

	private final String prefix;

	private final String interval;

	private final String burst;

	/**
	 * Create a bucket per key.
	 * @param prefix the prefix of its keys in Redis
	 */
	MinimalBucket(String prefix, Quota quota) {
		this.prefix = prefix;
		double micros = quota.period().toNanos() / 1e3;
		this.interval = String.valueOf(micros / quota.max());
		this.burst = String.valueOf(micros);
	}

	private static RedisScript<Long> script() {
		DefaultRedisScript<Long> script = new DefaultRedisScript<>();
		script.setLocation(new ClassPathResource("minimal-bucket.lua"));
		script.setResultType(Long.class);
		return RedisScript.of(script.getScriptAsString(), Long.class);
	}

	String name(String key) {
		return this.prefix + key;
	}

	String[] arguments() {
		return new String[] { this.interval, this.burst };
	}

}
