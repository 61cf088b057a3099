package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ObjIntConsumer;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.PlanWalk;
import io.github.ratelimit.store.tck.Walk;
import io.github.ratelimit.store.tck.Walk.Step;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls in a batch get the same answers as one after the other, field by field.
 */
@Tag("every-redis")
class BatchWalkTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 20;

	private final RedisStoreUnderTest redis = new RedisStoreUnderTest();

	private final LocalStoreUnderTest local = new LocalStoreUnderTest();

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void callsOfOneBatchAreDecidedOneAfterTheOther(AlgorithmUnderTest algorithm, long seed) {
		walks(seed, (random, number) -> walk(random, algorithm, number));
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void callsOfSeveralPlansAreDecidedOneAfterTheOther(AlgorithmUnderTest algorithm, long seed) {
		walks(seed, (random, number) -> walkUnderPlans(random, algorithm, number));
	}

	@ParameterizedTest(name = "seed {0}")
	@MethodSource("io.github.ratelimit.store.tck.Seeds#seeds")
	void callsUnderSeveralLimitsThatWaitAreDecidedOneAfterTheOther(long seed) {
		walks(seed, this::walkUnderSeveralLimits);
	}

	@Test
	void callThatQueuesMovesAllLogsOfItsRule() {
		RateLimitRule rule = RateLimitRule.named("rule")
			.limit(Limit.of(2, Duration.ofSeconds(3)).withAlgorithm(Algorithm.SLIDING_LOG).withName("short"))
			.limit(Limit.of(2, Duration.ofSeconds(9)).withAlgorithm(Algorithm.SLIDING_LOG).withName("long"))
			.build();
		Demands call = new Demand(rule, AlgorithmOnStore.freshKey(), 1, Duration.ofSeconds(19));
		this.redis.setClock(AlgorithmOnStore.NOW);
		List<List<LimitOutcome>> answers = this.redis.acquireTogether(Collections.nCopies(4, call));
		assertThat(answers.get(3)).extracting(LimitOutcome::retryAfter).containsExactly(9_000_000L, 9_000_000L);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void callsInALongRowAreDecidedOneAfterTheOther(AlgorithmUnderTest algorithm, long seed) {
		walks(seed, (random, number) -> {
			Walk walk = new Walk(random, algorithm, random.nextBoolean());
			String key = AlgorithmOnStore.freshKey();
			LimitOutcome last = null;
			for (int i = 0; i < STEPS_PER_WALK / 4; i++) {
				Step step = walk.next(last);
				Demands call = new Demand(RateLimitRule.named("rule").limit(step.limit()).build(), key, step.cost());
				List<List<LimitOutcome>> expected = acquire(Collections.nCopies(1 + random.nextInt(60), call),
						step.now(), number, i);
				last = expected.get(expected.size() - 1).get(0);
			}
		});
	}

	private static void walks(long seed, ObjIntConsumer<Random> walk) {
		Random random = new Random(seed);
		for (int number = 0; number < STEPS / STEPS_PER_WALK; number++) {
			walk.accept(random, number);
		}
	}

	private void walk(Random random, AlgorithmUnderTest algorithm, int number) {
		Walk walk = new Walk(random, algorithm, random.nextBoolean());
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
			List<Demands> calls = calls(random, step, other, keys, false);
			List<List<LimitOutcome>> expected = acquire(calls, step.now(), number, i);
			last = expected.get(expected.size() - 1).get(0);
		}
	}

	private void walkUnderPlans(Random random, AlgorithmUnderTest algorithm, int number) {
		PlanWalk walk = new PlanWalk(random, algorithm, random.nextBoolean());
		List<AlgorithmUnderTest> all = List.of(AlgorithmUnderTest.values());
		RateLimitRule other = RateLimitRule.named("other")
			.limit(all.get(random.nextInt(all.size())).randomLimit(random))
			.build();
		List<String> keys = List.of(AlgorithmOnStore.freshKey(), AlgorithmOnStore.freshKey());
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			List<Demands> calls = new ArrayList<>();
			for (int j = random.nextInt(4); j >= 0; j--) {
				calls.addAll(calls(random, new Step(walk.anyPlan(), step.cost(), step.now()), other, keys, true));
			}
			List<List<LimitOutcome>> expected = acquire(calls, step.now(), number, i);
			last = expected.get(expected.size() - 1).get(0);
		}
	}

	private List<List<LimitOutcome>> acquire(List<Demands> calls, long now, int walk, int step) {
		this.local.setClock(now);
		this.redis.setClock(now);
		List<List<LimitOutcome>> expected = calls.stream().map((call) -> this.local.acquire(call.asList())).toList();
		assertThat(this.redis.acquireTogether(calls)).as(() -> "walk %d, step %d: %s".formatted(walk, step, calls))
			.isEqualTo(expected);
		return expected;
	}

	/**
	 * Walk under several limits that run short in turn, so that one makes the others
	 * count calls later than they would alone.
	 */
	private void walkUnderSeveralLimits(Random random, int number) {
		RateLimitRule.Builder rule = RateLimitRule.named("rule");
		int limits = 2 + random.nextInt(2);
		for (int i = 0; i < limits; i++) {
			rule.limit(smallLimit(random).withName("limit-" + i));
		}
		Demand demand = new Demand(rule.build(), AlgorithmOnStore.freshKey(), 1, Duration.ofSeconds(60));
		RateLimitRule other = RateLimitRule.named("other").limit(smallLimit(random)).build();
		long now = AlgorithmOnStore.NOW;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			List<Demands> calls = new ArrayList<>();
			for (int j = random.nextInt(4); j >= 0; j--) {
				Duration maxWait = Duration.ofMillis(random.nextInt(3) * random.nextInt(20_000));
				Demand waiting = new Demand(demand.rule(), demand.key().text(), 1 + random.nextInt(2), maxWait);
				Demands call = (random.nextInt(3) > 0) ? waiting
						: Demands.of(waiting, new Demand(other, demand.key().text(), 1, maxWait));
				calls.addAll(Collections.nCopies(1 + random.nextInt(5), call));
			}
			acquire(calls, now, number, i);
			now += random.nextInt(8_000_000);
		}
	}

	private static Limit smallLimit(Random random) {
		AlgorithmUnderTest[] all = AlgorithmUnderTest.values();
		AlgorithmUnderTest algorithm = random.nextBoolean() ? AlgorithmUnderTest.SLIDING_LOG
				: all[random.nextInt(all.length)];
		Limit limit = algorithm.limit(1 + random.nextInt(6), Duration.ofMillis(1 + random.nextInt(20_000)));
		return (random.nextInt(4) > 0) ? limit : limit.withMinInterval(Duration.ofMillis(1 + random.nextInt(3_000)));
	}

	/**
	 * Return the same call several times in a row, between calls that differ in the key,
	 * the cost, the wait or the rules.
	 */
	private static List<Demands> calls(Random random, Step step, RateLimitRule other, List<String> keys,
			boolean underPlans) {
		RateLimitRule rule = underPlans ? AlgorithmOnStore.ruleWithPlans(step.limit())
				: RateLimitRule.named("rule").limit(step.limit()).build();
		List<Demands> calls = new ArrayList<>();
		for (int i = random.nextInt(6); i >= 0; i--) {
			String key = keys.get((random.nextInt(3) == 0) ? 1 : 0);
			long cost = random.nextBoolean() ? 1 : step.cost();
			long wait = (random.nextInt(3) > 0) ? 0
					: Math.floorMod(random.nextLong(), Math.min(step.limit().periodMicros(), 86_400_000_000L));
			Demand demand = new Demand(rule, key, cost, Duration.of(wait, ChronoUnit.MICROS));
			Demands call = (random.nextInt(4) > 0) ? demand
					: Demands.of(demand, new Demand(other, key, random.nextInt(3)));
			for (int j = random.nextInt(4); j >= 0; j--) {
				calls.add(call);
			}
		}
		calls.add(new Demand(rule, keys.get(0), step.cost()));
		return calls;
	}

}
