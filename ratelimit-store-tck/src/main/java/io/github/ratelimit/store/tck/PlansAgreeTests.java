package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 8 for calls of one key whose plan changes at random.
 */
@Tag("every-redis")
class PlansAgreeTests {

	private static final int STEPS = Seeds.steps(5_000);

	private static final int STEPS_PER_WALK = 25;

	@CommonWalk
	void storesAnswerWhatTheOracleAnswers(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			PlanWalk calls = new PlanWalk(random, on.algorithm(), false);
			Oracle oracle = on.algorithm().oracle();
			String key = AlgorithmOnStore.freshKey();
			List<Step> steps = new ArrayList<>();
			LimitOutcome last = null;
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				Step step = calls.next(last);
				steps.add(step);
				on.store().setClock(step.now());
				last = on.store()
					.acquire(List.of(new Demand(AlgorithmOnStore.ruleWithPlans(step.limit()), key, step.cost())))
					.get(0);
				assertThat(last).as("walk %d: %s", walk, steps)
					.isEqualTo(oracle.acquire(step.limit(), step.cost(), step.now(), last.admitted()).orElse(last));
			}
		}
	}

	/**
	 * With a clock that is set back, calls that wait, refunds and charges.
	 */
	@CommonWalk
	void storesAgree(AlgorithmOnStore on, long seed) {
		walks(on, seed, false);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#countingDeniedInStep")
	void storesAgreeWhereDeniedCallsCount(AlgorithmOnStore on, long seed) {
		walks(on, seed, true);
	}

	@ParameterizedTest(name = "with plans {0}")
	@ValueSource(booleans = { true, false })
	void storesAgreeIfCallsSelectTimeZones(boolean withPlans) {
		AlgorithmOnStore on = AlgorithmOnStore.inStep(AlgorithmUnderTest.CALENDAR_WINDOW);
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
				walk(on, random, new PlanWalk(random, on.algorithm(), walk % 2 == 0).inZones(),
						withPlans ? AlgorithmOnStore::ruleWithPlans : AlgorithmOnStore::rule);
			}
		});
	}

	private static void walks(AlgorithmOnStore on, long seed, boolean countingDenied) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			PlanWalk calls = new PlanWalk(random, on.algorithm(), walk % 2 == 0);
			walk(on, random, countingDenied ? calls.countingDenied() : calls, AlgorithmOnStore::ruleWithPlans);
		}
	}

	private static void walk(AlgorithmOnStore on, Random random, PlanWalk walk, Function<Limit, RateLimitRule> rule) {
		String key = AlgorithmOnStore.freshKey();
		List<Correction> admitted = new ArrayList<>();
		LimitOutcome last = null;
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			Step step = walk.next(last);
			on.store().setClock(step.now());
			long wait = (random.nextInt(3) > 0) ? 0 : Math.floorMod(random.nextLong(), 2 * step.limit().periodMicros());
			Demand demand = new Demand(rule.apply(step.limit()), key, step.cost(),
					Duration.of(Math.min(wait, Limit.MAX_PERIOD.toNanos() / 1000), ChronoUnit.MICROS));
			last = on.store().acquire(List.of(demand)).get(0);
			if (step.cost() > 0 && demand.accepts(last.retryAfter())) {
				admitted.add(Correction.refund(demand, step.now() + last.retryAfter()));
			}
			if (random.nextInt(6) == 0 && !admitted.isEmpty()) {
				Correction refund = admitted.remove(random.nextInt(admitted.size()));
				on.store()
					.correct(List
						.of((random.nextInt(4) == 0) ? Correction.refund(refund.demand(), Correction.NEWEST) : refund));
			}
			else if (random.nextInt(10) == 0) {
				Limit plan = walk.anyPlan();
				long units = 1 + random.nextInt((int) Math.min(100, plan.capacity()));
				on.store()
					.correct(List.of(Correction.charge(RuleCounts.of(rule.apply(plan)), StoredKey.of(key),
							List.of(units), (random.nextInt(3) > 0) ? 0 : random.nextInt(1_000_000))));
			}
			else if (random.nextInt(6) == 0) {
				on.store().peek(demand);
			}
		}
	}

}
