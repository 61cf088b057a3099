package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads call with 10,000 exhausted keys, and in one of a hundred calls with a new
 * key.
 */
public final class RedisAttack {

	private RedisAttack() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		new OverRedisLane("Redis, 64 threads, 99 % of calls denied", Quota.EXHAUSTED, null, 0).run(Load.threads(64),
				Keys.attack(10_000), Keys.all(10_000));
	}

}
