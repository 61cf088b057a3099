package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * One thread calls with 10,000 keys; all calls are allowed.
 */
public final class RedisOneThread {

	private RedisOneThread() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		new OverRedisLane("Redis, 1 thread, 10,000 keys, allowed", Quota.PLENTY, null, 0).run(Load.threads(1),
				Keys.many(10_000), Keys.all(10_000));
	}

}
