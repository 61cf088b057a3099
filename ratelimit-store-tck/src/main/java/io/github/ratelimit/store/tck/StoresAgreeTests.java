package io.github.ratelimit.store.tck;

import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 8: the same calls at the same times give the same decisions on all stores, field by
 * field, and those of the oracle.
 */
@Tag("every-redis")
class StoresAgreeTests {

	private static final int STEPS = Seeds.steps(50_000);

	private static final int STEPS_PER_WALK = 100;

	@CommonWalk
	void storesAgree(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(on, new Walk(random, on.algorithm(), walk % 2 == 0), walk);
		}
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#countingDeniedInStep")
	void storesAgreeWhereDeniedCallsCount(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(on, new Walk(random, on.algorithm(), walk % 2 == 0).countingDenied(), walk);
		}
	}

	private static void walk(AlgorithmOnStore on, Walk walk, int number) {
		String key = AlgorithmOnStore.freshKey();
		Oracle oracle = on.algorithm().oracle();
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			int position = i;
			Step step = walk.next(last);
			on.store().setClock(step.now());
			Demand demand = new Demand(AlgorithmOnStore.rule(step.limit()), key, step.cost());
			last = on.store().acquire(List.of(demand)).get(0);
			assertThat(last).as(() -> "walk %d, step %d: %s".formatted(number, position, step))
				.isEqualTo(oracle.acquire(step.limit(), step.cost(), step.now(), last.admitted()).orElse(last));
		}
	}

}
