package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 2: all limits of all rules of a call count it, or none does.
 */
class AllOrNothingTests {

	@UnitByUnitTest
	void admittedCallTakesFromEveryLimit(AlgorithmOnStore on) {
		List<Demand> demands = List.of(demand(rule(on, "wide", 10, 20, 30), 2), demand(rule(on, "narrow", 5), 1));
		assertThat(acquire(on, demands)).extracting(LimitOutcome::remaining).containsExactly(8L, 18L, 28L, 4L);
	}

	@UnitByUnitTest
	void whicheverLimitDeniesNoneIsTouched(AlgorithmOnStore on) {
		for (int denying = 0; denying < 4; denying++) {
			List<Long> max = new ArrayList<>(List.of(10L, 10L, 10L, 10L));
			max.set(denying, 1L);
			String key = AlgorithmOnStore.freshKey();
			RateLimitRule several = rule(on, "several", max.get(0), max.get(1), max.get(2));
			RateLimitRule single = rule(on, "single", max.get(3));
			List<Demand> demands = List.of(new Demand(several, key, 1), new Demand(single, key, 1));
			List<LimitOutcome> first = acquire(on, demands);
			List<LimitOutcome> denied = acquire(on, demands);
			assertThat(denied).extracting(LimitOutcome::remaining)
				.isEqualTo(first.stream().map(LimitOutcome::remaining).toList());
			for (int i = 0; i < 4; i++) {
				assertThat(denied.get(i).admitted()).as("limit " + i).isEqualTo(i != denying);
			}
		}
	}

	@CommonTest
	void costAboveOneLimitLeavesTheOthersAlone(AlgorithmOnStore on) {
		RateLimitRule rule = rule(on, "rule", 100, 2);
		assertThat(acquire(on, List.of(demand(rule, 3)))).containsExactly(new LimitOutcome(100, 0, 0),
				new LimitOutcome(2, -1, 0));
	}

	@UnitByUnitTest
	void hundredRulesAreDecidedTogether(AlgorithmOnStore on) {
		String key = AlgorithmOnStore.freshKey();
		List<Demand> demands = IntStream.range(0, 100)
			.mapToObj((i) -> new Demand(rule(on, "rule-" + i, (i < 99) ? 10 : 1), key, 1))
			.toList();
		List<LimitOutcome> first = acquire(on, demands);
		assertThat(first).hasSize(100).allMatch(LimitOutcome::admitted);
		List<LimitOutcome> denied = acquire(on, demands);
		assertThat(denied).filteredOn((outcome) -> !outcome.admitted()).hasSize(1);
		assertThat(denied).extracting(LimitOutcome::remaining)
			.isEqualTo(first.stream().map(LimitOutcome::remaining).toList());
	}

	@UnitByUnitTest
	void costZeroOfOneRuleGoesWithTheCostOfAnother(AlgorithmOnStore on) {
		List<Demand> demands = List.of(demand(rule(on, "looks", 10), 0), demand(rule(on, "takes", 10), 3));
		assertThat(acquire(on, demands)).extracting(LimitOutcome::remaining).containsExactly(10L, 7L);
	}

	@UnitByUnitTest
	void resetForgetsAllLimitsOfTheRuleAndKeyAndNothingElse(AlgorithmOnStore on) {
		RateLimitRule rule = rule(on, "rule", 10, 20);
		Demand mine = demand(rule, 1);
		Demand other = demand(rule, 1);
		acquire(on, List.of(mine));
		acquire(on, List.of(other));
		on.store().reset(rule, mine.key().text());
		assertThat(acquire(on, List.of(mine))).extracting(LimitOutcome::remaining).containsExactly(9L, 19L);
		assertThat(acquire(on, List.of(other))).extracting(LimitOutcome::remaining).containsExactly(8L, 18L);
	}

	@UnitByUnitTest
	void rulesWhoseLimitsAreCalledAlikeDoNotShareThem(AlgorithmOnStore on) {
		String key = AlgorithmOnStore.freshKey();
		RateLimitRule several = rule(on, "sms", 10, 10);
		RateLimitRule single = rule(on, "sms-limit-0", 10);
		assertThat(several.nameOf(several.limits().get(0))).isEqualTo(single.nameOf(single.limits().get(0)));
		acquire(on, List.of(new Demand(several, key, 1)));
		assertThat(acquire(on, List.of(new Demand(single, key, 1)))).extracting(LimitOutcome::remaining)
			.containsExactly(9L);
	}

	private static List<LimitOutcome> acquire(AlgorithmOnStore on, List<Demand> demands) {
		on.store().setClock(AlgorithmOnStore.NOW);
		return on.store().acquire(demands);
	}

	private static Demand demand(RateLimitRule rule, long cost) {
		return new Demand(rule, AlgorithmOnStore.freshKey(), cost);
	}

	private static RateLimitRule rule(AlgorithmOnStore on, String name, long... max) {
		RateLimitRule.Builder rule = RateLimitRule.named(name);
		for (int i = 0; i < max.length; i++) {
			rule.limit(on.algorithm().limit(max[i], Duration.ofMinutes(1 + i)).withName("limit-" + i));
		}
		return rule.build();
	}

}
