package io.github.ratelimit.benchmarks.lane;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads ask for 10,000 keys that have nothing left, and once in a hundred calls for
 * a new one.
 */
public final class RedisAttack {

	private RedisAttack() {
	}

	/**
	 * Run it.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		OverRedisLane.named("Redis, 64 threads, 99 % of calls denied")
			.quota(Quota.EXHAUSTED)
			.run(Load.threads(64), Keys.attack(10_000), Keys.all(10_000));
	}

}
