package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Ban;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls of rules with bans get the same answers in a batch as one after the other
 * in this process, field by field.
 */
@Tag("every-redis")
class BanBatchWalkTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 20;

	private final RedisStoreUnderTest redis = new RedisStoreUnderTest();

	private final LocalStoreUnderTest local = new LocalStoreUnderTest();

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void callsOfOneBatchAreDecidedOneAfterTheOther(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(random, algorithm, walk);
		}
	}

	private void walk(Random random, AlgorithmUnderTest algorithm, int number) {
		List<RateLimitRule> rules = List.of(rule(random, algorithm, "rule"), rule(random, algorithm, "other"));
		List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());
		long now = AlgorithmOnStore.NOW;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			now += random.nextBoolean() ? random.nextInt(100_000) : random.nextInt(2_000_000);
			List<Demands> calls = calls(random, rules, keys);
			this.local.setClock(now);
			this.redis.setClock(now);
			List<StoreAnswer> expected = calls.stream().map(this.local::answer).toList();
			assertThat(this.redis.answersTogether(calls)).as("walk %d, step %d: %s", number, i, calls)
				.isEqualTo(expected);
		}
	}

	private static RateLimitRule rule(Random random, AlgorithmUnderTest algorithm, String name) {
		Duration lasting = Duration.ofMillis(1 + random.nextInt(2000));
		Ban ban = new Ban(1 + random.nextInt(8), Duration.ofMillis(1 + random.nextInt(2000)), lasting,
				lasting.multipliedBy(1 + random.nextInt(4)));
		return RateLimitRule.named(name)
			.limit(algorithm.limit(1 + random.nextInt(5), Duration.ofMillis(1 + random.nextInt(2000))))
			.ban((random.nextInt(4) > 0) ? ban : null)
			.build();
	}

	private static List<Demands> calls(Random random, List<RateLimitRule> rules, List<String> keys) {
		List<Demands> calls = new ArrayList<>();
		for (int i = random.nextInt(5); i >= 0; i--) {
			String key = keys.get(random.nextInt(2));
			Duration maxWait = Duration.ofMillis((random.nextInt(4) == 0) ? random.nextInt(2000) : 0);
			Demand demand = new Demand(rules.get(0), key, random.nextInt(4), maxWait);
			Demands call = (random.nextInt(3) > 0) ? demand
					: Demands.of(new Demand(rules.get(1), key, random.nextInt(3)), demand);
			for (int j = random.nextInt(8); j >= 0; j--) {
				calls.add(call);
			}
		}
		return calls;
	}

}
