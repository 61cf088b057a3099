package io.github.ratelimit.benchmarks.lane;

import java.time.Duration;

import io.github.ratelimit.benchmarks.measure.Keys;
import io.github.ratelimit.benchmarks.measure.Load;
import io.github.ratelimit.benchmarks.measure.Quota;

/**
 * 64 threads ask for the same key, and all calls are allowed. Then they ask for a key of
 * which there are only so many, to see whether just as many are admitted.
 */
public final class RedisHotKey {

	/**
	 * What is left after a day and a night: one more comes back in about a quarter of an
	 * hour.
	 */
	private static final Quota FEW = new Quota(1_000, Duration.ofDays(10));

	private RedisHotKey() {
	}

	/**
	 * Run it.
	 * @param arguments none
	 */
	public static void main(String[] arguments) {
		OverRedisLane.named("Redis, 64 threads, one hot key, allowed")
			.quota(Quota.PLENTY)
			.exactly(FEW)
			.run(Load.threads(64), Keys.hot(), Keys.all(1));
	}

}
