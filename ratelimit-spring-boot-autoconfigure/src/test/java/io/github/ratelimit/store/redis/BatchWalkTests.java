package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Seeds;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.algorithm.Walk;
import io.github.ratelimit.algorithm.Walk.Step;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.local.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls that travel to Redis together get the answers that they would get one
 * after the other, field by field.
 */
@Tag("every-redis")
class BatchWalkTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 20;

	private final RedisStoreUnderTest redis = new RedisStoreUnderTest();

	private final LocalStoreUnderTest local = new LocalStoreUnderTest();

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsAndSeeds")
	void callsOfOneBatchAreDecidedOneAfterTheOther(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(random, algorithm, "seed " + seed + ", walk " + walk);
		}
	}

	static Stream<Arguments> algorithmsAndSeeds() {
		return Arrays.stream(AlgorithmUnderTest.values())
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	private void walk(Random random, AlgorithmUnderTest algorithm, String description) {
		Walk walk = new Walk(random, algorithm, false);
		if (random.nextBoolean() && AlgorithmUnderTest.thatCanCountDenied().toList().contains(algorithm)) {
			walk.countingDenied();
		}
		List<AlgorithmUnderTest> all = List.of(AlgorithmUnderTest.values());
		RateLimitRule other = RateLimitRule.named("other")
			.limit(all.get(random.nextInt(all.size())).randomLimit(random))
			.build();
		List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			List<List<Demand>> calls = calls(random, step, other, keys);
			this.local.setClock(step.now());
			this.redis.setClock(step.now());
			List<List<LimitOutcome>> expected = calls.stream().map(this.local::acquire).toList();
			assertThat(this.redis.acquireTogether(calls)).as(description + ", step " + i + ": " + calls)
				.isEqualTo(expected);
			last = expected.get(expected.size() - 1).get(0);
		}
	}

	/**
	 * The same call several times in a row, between others: of another key, of another
	 * cost, that may wait, that is subject to another rule as well.
	 */
	private static List<List<Demand>> calls(Random random, Step step, RateLimitRule other, List<String> keys) {
		RateLimitRule rule = RateLimitRule.named("rule").limit(step.limit()).build();
		List<List<Demand>> calls = new ArrayList<>();
		for (int i = random.nextInt(6); i >= 0; i--) {
			String key = keys.get((random.nextInt(3) == 0) ? 1 : 0);
			long cost = random.nextBoolean() ? 1 : step.cost();
			long wait = (random.nextInt(3) > 0) ? 0
					: Math.floorMod(random.nextLong(), Math.min(step.limit().periodMicros(), 86_400_000_000L));
			Demand demand = new Demand(rule, key, cost, Duration.of(wait, ChronoUnit.MICROS));
			List<Demand> call = (random.nextInt(4) > 0) ? List.of(demand)
					: List.of(demand, new Demand(other, key, random.nextInt(3)));
			for (int j = random.nextInt(4); j >= 0; j--) {
				calls.add(call);
			}
		}
		calls.add(List.of(new Demand(rule, keys.get(0), step.cost())));
		return calls;
	}

}
