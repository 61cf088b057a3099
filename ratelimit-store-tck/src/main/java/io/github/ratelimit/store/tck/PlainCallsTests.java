package io.github.ratelimit.store.tck;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of a {@linkplain RateLimitStore#plain plain rule} are decided and counted like
 * those that are demanded: both in any order get the decisions of the local store, which
 * gets demands only. Stores without plain rules pass.
 */
class PlainCallsTests {

	private static final int WALKS = Seeds.steps(200);

	private static final int STEPS_PER_WALK = 100;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("onEachStore")
	void plainCallsAreDecidedAndCountedLikeDemands(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < WALKS; walk++) {
			walk(on.store(), new Walk(random, on.algorithm(), walk % 2 == 0), walk, random);
		}
	}

	private static Stream<Arguments> onEachStore() {
		return AlgorithmOnStore.all().flatMap((on) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(on, seed)));
	}

	/** Walk until a rule has to be demanded, which mostly is the first one or none. */
	private static void walk(StoreUnderTest store, Walk walk, int number, Random random) {
		LocalStoreUnderTest local = new LocalStoreUnderTest();
		Map<Limit, PlainRule> plainRules = new HashMap<>();
		String key = AlgorithmOnStore.freshKey() + "x".repeat(random.nextInt(4) / 3 * 1_000);
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			store.setClock(step.now());
			local.setClock(step.now());
			RuleCounts counts = RuleCounts.of(AlgorithmOnStore.rule(step.limit()));
			PlainRule plain = plainRules.computeIfAbsent(step.limit(), (limit) -> store.store().plain(counts));
			if (plain == null) {
				return;
			}
			Demand demand = new Demand(counts, key, step.cost());
			StoreAnswer expected = local.answer(demand);
			last = expected.get(0).first();
			boolean always = random.nextInt(4) > 0;
			Decision decision = (step.cost() > 0 && random.nextBoolean()) ? plain.decide(key, step.cost(), always)
					: new Decision(store.answer(demand), store.store().origin());
			if (decision != null || always || !last.admitted()) {
				assertThat(decision).as("walk %d, step %d: %s", number, i, step)
					.isEqualTo(new Decision(expected, store.store().origin()));
			}
		}
	}

}
