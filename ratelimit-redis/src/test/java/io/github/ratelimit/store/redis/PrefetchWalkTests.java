package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls of three instances that prefetch, in simulated time, against oracles that
 * remember every call.
 */
@Tag("every-redis")
class PrefetchWalkTests {

	private static final int STEPS = Seeds.steps(2_000);

	private static final int STEPS_PER_WALK = 200;

	/**
	 * Return the algorithms whose state depends only on the units that were used. A
	 * bucket also refills beside units that are returned later, and a window may begin
	 * with them.
	 */
	static Stream<Arguments> algorithmsThatForgetUnusedUnits() {
		return withSeeds(AlgorithmUnderTest.SLIDING_LOG, AlgorithmUnderTest.SLIDING_WINDOW,
				AlgorithmUnderTest.WEIGHTED_WINDOW, AlgorithmUnderTest.FIXED_WINDOW);
	}

	static Stream<Arguments> algorithms() {
		return Stream.concat(algorithmsThatForgetUnusedUnits(),
				withSeeds(AlgorithmUnderTest.FIXED_WINDOW_FROM_FIRST_REQUEST, AlgorithmUnderTest.TOKEN_BUCKET));
	}

	private static Stream<Arguments> withSeeds(AlgorithmUnderTest... algorithms) {
		return Stream.of(algorithms)
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	/**
	 * A store that fetches nothing ahead admits each call at the time as of which it was
	 * counted. When nobody holds units, Redis knows as much as that store, to the unit:
	 * what was not used has come back, and the next call is decided exactly.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsThatForgetUnusedUnits")
	void everyAdmittedCallFitsAtTheTimeAsOfWhichItCounts(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		long paid = 0;
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			paid += walkWithoutFailures(algorithm, random);
		}
		assertThat(paid).as("calls that were paid with units held").isPositive();
	}

	/**
	 * The same with calls of several plans, which change while nobody holds units. By
	 * another period, units may count as of a later time if others of their window were
	 * returned since. Then Redis may admit fewer calls until nothing counts any more.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsThatForgetUnusedUnits")
	void everyAdmittedCallFitsUnderItsPlan(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		long paid = 0;
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			paid += walkWithoutFailures(new PrefetchCalls(random, ruleWithPlans(algorithm, random)), random);
		}
		assertThat(paid).as("calls that were paid with units held").isPositive();
	}

	private long walkWithoutFailures(AlgorithmUnderTest algorithm, Random random) {
		return walkWithoutFailures(new PrefetchCalls(random, rule(algorithm, random)), random);
	}

	private long walkWithoutFailures(PrefetchCalls calls, Random random) {
		LocalStoreUnderTest oracle = new LocalStoreUnderTest();
		for (int step = 1; step <= STEPS_PER_WALK; step++) {
			calls.some();
			if (random.nextInt(20) == 0) {
				calls.refundAny();
			}
			if (step % 20 == 0) {
				calls.waitUntilNobodyHoldsUnits();
				calls.replayOn(oracle);
				calls.changePlan();
			}
		}
		return calls.paid();
	}

	/**
	 * Instances that die keep their units counted, limits that change hold for the units
	 * fetched from then on.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithms")
	void admitsNoMoreThanTheBoundInAnyPeriod(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			PrefetchCalls calls = new PrefetchCalls(random,
					random.nextBoolean() ? rule(algorithm, random) : ruleWithPlans(algorithm, random));
			Limit limit = calls.limit();
			for (int step = 0; step < STEPS_PER_WALK; step++) {
				calls.some();
				if (random.nextInt(40) == 0) {
					calls.killAnyInstance();
				}
				if (random.nextInt(40) == 0) {
					long lower = 1 + random.nextInt((int) limit.max());
					calls.changeLimit(random.nextBoolean() ? limit : limit.withMax(lower));
				}
			}
			calls.assertBound(algorithm, limit);
		}
	}

	private static RuleCounts rule(AlgorithmUnderTest algorithm, Random random) {
		Duration period = Duration.ofMillis(40 + random.nextInt(400));
		long max = 4 + random.nextInt(random.nextBoolean() ? 20 : 400);
		Limit limit = algorithm.limit(max, period);
		if (algorithm == AlgorithmUnderTest.TOKEN_BUCKET) {
			limit = limit.withBurst(max);
		}
		return RuleCounts
			.of(RateLimitRule.named("rule").limit(limit).prefetch(Duration.ofMillis(1 + random.nextInt(30))).build());
	}

	/**
	 * Return a rule that has plans, as it counts calls of one of them.
	 */
	private static RuleCounts ruleWithPlans(AlgorithmUnderTest algorithm, Random random) {
		RateLimitRule rule = rule(algorithm, random).rule();
		return RuleCounts.of(RateLimitRule.named("rule")
			.limit(rule.limits().get(0))
			.prefetch(rule.prefetch())
			.plan("#plan")
			.build());
	}

}
