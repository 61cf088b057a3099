package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads call with 10,000 keys; all calls are allowed. Contenders of their own have
 * keys in three plans, or with a limit each.
 */
public final class RedisManyKeys {

	private RedisManyKeys() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		new OverRedisLane("Redis, 64 threads, 10,000 keys, allowed", Quota.PLENTY, null, 10_000).run(Load.threads(64),
				Keys.many(10_000), Keys.all(10_000));
	}

}
