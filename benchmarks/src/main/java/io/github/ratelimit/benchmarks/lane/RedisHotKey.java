package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads call with the same key; all calls are allowed. Then they call with a key of
 * few units, to check that exactly as many calls are admitted.
 */
public final class RedisHotKey {

	private RedisHotKey() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		new OverRedisLane("Redis, 64 threads, one hot key, allowed", Quota.PLENTY, Quota.FEW, 0).run(Load.threads(64),
				Keys.hot(), Keys.all(1));
	}

}
