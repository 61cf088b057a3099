package io.github.ratelimit.store;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Seeds;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.algorithm.Oracle;
import io.github.ratelimit.algorithm.Walk;
import io.github.ratelimit.algorithm.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 8: the same calls at the same times give the same decisions on all stores, field by
 * field, and those of the oracle.
 */
@Tag("every-redis")
class StoresAgreeTests {

	private static final int STEPS = Seeds.steps(50_000);

	private static final int STEPS_PER_WALK = 100;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource
	void storesAgree(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(new Walk(random, algorithm, walk % 2 == 0), algorithm.oracle(), "seed " + seed + ", walk " + walk);
		}
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource
	void storesAgreeWhereDeniedCallsCount(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			walk(new Walk(random, algorithm, walk % 2 == 0).countingDenied(), algorithm.oracle(),
					"seed " + seed + ", walk " + walk);
		}
	}

	static Stream<Arguments> storesAgreeWhereDeniedCallsCount() {
		return AlgorithmUnderTest.thatCanCountDenied()
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	static Stream<Arguments> storesAgree() {
		return Arrays.stream(AlgorithmUnderTest.values())
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	private static void walk(Walk walk, Oracle oracle, String description) {
		String key = AlgorithmOnStore.freshKey();
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			String where = description + ", step " + i + ": " + step;
			List<LimitOutcome> outcomes = AlgorithmOnStore.STORES.stream()
				.map((store) -> acquire(store, key, step))
				.toList();
			assertThat(outcomes).as(where).containsOnly(outcomes.get(0));
			last = outcomes.get(0);
			assertThat(last).as(where)
				.isEqualTo(oracle.acquire(step.limit(), step.cost(), step.now(), last.admitted()).orElse(last));
		}
	}

	private static LimitOutcome acquire(StoreUnderTest store, String key, Step step) {
		store.setClock(step.now());
		return store.acquire(List.of(new Demand(AlgorithmOnStore.rule(step.limit()), key, step.cost()))).get(0);
	}

}
