package io.github.ratelimit.algorithm;

import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.Oracle;
import io.github.ratelimit.store.tck.Seeds;
import io.github.ratelimit.store.tck.Walk;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares each algorithm with its oracle.
 */
class CountWalkTests {

	private static final int STEPS = Seeds.steps(300_000);

	private static final int STEPS_PER_WALK = 100;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#withSeeds")
	void agreesWithTheOracle(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(algorithm, new Walk(random, algorithm, walk % 2 == 0), walk);
		}
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmUnderTest#thatCanCountDeniedWithSeeds")
	void agreesWithTheOracleWhereDeniedCallsCount(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(algorithm, new Walk(random, algorithm, walk % 2 == 0).countingDenied(), walk);
		}
	}

	private static void walk(AlgorithmUnderTest algorithm, Walk walk, int number) {
		Count count = CountType.of(algorithm.limitUpTo(1, Limit.MAX_PERIOD)).unused();
		Oracle oracle = algorithm.oracle();
		LimitOutcome outcome = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(outcome);
			LimitOutcome actual = acquire(count, step);
			int position = i;
			oracle.acquire(step.limit(), step.cost(), step.now(), actual.admitted())
				.ifPresent((expected) -> assertThat(actual)
					.as(() -> "walk %d, step %d: %s".formatted(number, position, step))
					.isEqualTo(expected));
			outcome = actual;
		}
	}

	private static LimitOutcome acquire(Count count, Step step) {
		Limit limit = step.limit();
		count.advance(limit, step.now());
		long wait = count.waitFor(limit, step.cost());
		if (step.cost() > 0) {
			if (wait == 0) {
				count.take(limit, step.cost(), 0);
			}
			else if (limit.countDenied() && wait != Count.NEVER) {
				count.countDenied(limit, step.cost());
				wait = count.waitFor(limit, step.cost());
			}
			else if (wait != Count.NEVER) {
				count.moveBack(limit);
			}
		}
		return new LimitOutcome(count.remainingNow(limit), wait, count.resetAfterNow());
	}

}
