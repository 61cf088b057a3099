package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads call with the same key; all calls are allowed. Then they call with a key of
 * few units, to check that exactly as many calls are admitted.
 */
public final class RedisHotKey {

	/**
	 * Quota of few units: one is refilled in about a quarter of an hour, so hardly any is
	 * during the check.
	 */
	private static final Quota FEW = new Quota(1_000, Duration.ofDays(10));

	private RedisHotKey() {
	}

	/**
	 * Run the benchmark.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		OverRedisLane.named("Redis, 64 threads, one hot key, allowed")
			.quota(Quota.PLENTY)
			.exactly(FEW)
			.run(Load.threads(64), Keys.hot(), Keys.all(1));
	}

}
