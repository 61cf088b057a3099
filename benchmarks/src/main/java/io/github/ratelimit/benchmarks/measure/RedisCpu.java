package io.github.ratelimit.benchmarks.measure;

import io.github.ratelimit.redis.process.RedisProcess;

/**
 * Processor time of a Redis server since its start.
 */
public final class RedisCpu {

	private RedisCpu() {
	}

	/**
	 * Return the processor time in microseconds.
	 */
	public static long micros(RedisProcess redis) {
		return String.valueOf(redis.command("INFO", "cpu"))
			.lines()
			.filter((line) -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
			.mapToLong((line) -> (long) (Double.parseDouble(line.substring(line.indexOf(':') + 1).trim()) * 1e6))
			.sum();
	}

}
