package io.github.ratelimit.test;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Random;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.Walk;
import io.github.ratelimit.store.tck.Walk.Step;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.StoreUnderTest;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.redis.RedisStoreUnderTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The store of tests, by its clock, makes the same decisions as Redis at the same times,
 * field by field, also when the clock is set back.
 */
class DecisionsOfRedisTests {

	private static final int STEPS = Seeds.steps(2_000);

	private static final int STEPS_PER_WALK = 100;

	private static final StoreUnderTest REDIS = new RedisStoreUnderTest();

	private final RateLimitClock clock = new RateLimitClock();

	private final TestRateLimitStore store = new TestRateLimitStore(
			LocalRateLimitStore.withSettableClock(1_000, this.clock::micros), new Turns(this.clock));

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void areTheSame(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(new Walk(random, algorithm, walk % 2 == 0), walk);
			this.store.clear();
		}
	}

	private void walk(Walk walk, int number) {
		String key = AlgorithmOnStore.freshKey();
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			this.clock.set(Instant.EPOCH.plus(step.now(), ChronoUnit.MICROS));
			REDIS.setClock(step.now());
			Demand demand = new Demand(RateLimitRule.named("rule").limit(step.limit()).build(), key, step.cost());
			StoreAnswer answer = this.store.acquire(demand);
			assertThat(answer).as("walk %d, step %d: %s", number, i, step).isEqualTo(REDIS.answer(demand));
			last = answer.get(0).outcomes().get(0);
		}
	}

}
