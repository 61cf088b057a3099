package io.github.ratelimit.store.redis;

import java.time.Duration;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;

/**
 * Base of tests that count the calls of one key on a Redis of their own, which they slow
 * down or freeze.
 */
abstract class OneKeyOfAnOwnRedis {

	static final long MAX = 10_000;

	static final RateLimitRule RULE = RateLimitRule.named("rule")
		.limit(MAX, Duration.ofDays(1))
		.algorithm(Algorithm.SLIDING_LOG)
		.build();

	@AutoClose
	static RedisProcess redis;

	final Demand demand = new Demand(RULE, AlgorithmOnStore.freshKey(), 1);

	@BeforeAll
	static void start() {
		redis = RedisProcess.start();
	}

	final long remaining(RedisRateLimitStore store) {
		return remaining(store, this.demand);
	}

	static long remaining(RedisRateLimitStore store, Demand demand) {
		return store.acquire(demand.withCost(0)).get(0).outcomes().get(0).remaining();
	}

}
