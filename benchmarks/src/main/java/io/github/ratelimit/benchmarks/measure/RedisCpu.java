package io.github.ratelimit.benchmarks.measure;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * How long a Redis server was busy since its start.
 */
public final class RedisCpu {

	private RedisCpu() {
	}

	/**
	 * Microseconds of its processor time.
	 */
	public static long micros(RedisProcess redis) {
		return String.valueOf(redis.command("INFO", "cpu"))
			.lines()
			.filter((line) -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
			.mapToLong((line) -> (long) (Double.parseDouble(line.substring(line.indexOf(':') + 1).trim()) * 1e6))
			.sum();
	}

}
