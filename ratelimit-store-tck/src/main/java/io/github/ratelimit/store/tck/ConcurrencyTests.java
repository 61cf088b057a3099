package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoreAnswer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 5: of n simultaneous calls exactly as many are admitted as n calls one after the
 * other.
 */
class ConcurrencyTests {

	private static final int CALLS = 2_000;

	private static final int MAX = 100;

	@UnitByUnitTest
	void exactlyMaxOfManySimultaneousCallsAreAdmitted(AlgorithmOnStore on) throws Exception {
		Demand demand = new Demand(rule(on, "rule", MAX), AlgorithmOnStore.freshKey(), 1);
		assertThat(admitted(on.store().instancesOnTheRealClock(), List.of(List.of(demand)))).isEqualTo(MAX);
	}

	@UnitByUnitTest
	void overlappingRulesInAnyOrderNeitherDeadlockNorAdmitMore(AlgorithmOnStore on) throws Exception {
		Demand first = new Demand(rule(on, "first", MAX), AlgorithmOnStore.freshKey(), 1);
		Demand second = new Demand(rule(on, "second", 3 * MAX), AlgorithmOnStore.freshKey(), 1);
		List<List<Demand>> kinds = List.of(List.of(first, second), List.of(second, first));
		assertThat(admitted(on.store().instancesOnTheRealClock(), kinds)).isEqualTo(MAX);
	}

	@UnitByUnitTest
	void allOrNothingHoldsUnderConcurrency(AlgorithmOnStore on) throws Exception {
		Demand wide = new Demand(rule(on, "wide", 3 * MAX), AlgorithmOnStore.freshKey(), 1);
		Demand narrow = new Demand(rule(on, "narrow", MAX), AlgorithmOnStore.freshKey(), 1);
		List<RateLimitStore> instances = on.store().instancesOnTheRealClock();
		admitted(instances, List.of(List.of(wide, narrow)));
		assertThat(admitted(instances, List.of(List.of(wide)))).isEqualTo(2 * MAX);
	}

	/**
	 * A bucket refills a small part of a unit meanwhile, which refunds leave out. A unit
	 * that is never refunded would take it two weeks.
	 */
	@UnitByUnitTest
	void refundsOfSimultaneousCallsAreAllMade(AlgorithmOnStore on) throws Exception {
		int max = Simultaneous.THREADS / 2;
		Demand demand = new Demand(rule(on, "refunded", max), AlgorithmOnStore.freshKey(), 1);
		List<RateLimitStore> instances = on.store().instancesOnTheRealClock();
		AtomicInteger held = new AtomicInteger();
		long within = count(instances, (store, number) -> {
			StoreAnswer answer = store.acquire(demand);
			boolean isWithin = !answer.isAdmitted() || held.incrementAndGet() <= max;
			if (answer.isAdmitted()) {
				held.decrementAndGet();
				AlgorithmOnStore.correct(store, answer.refunds());
			}
			return isWithin;
		});
		assertThat(within).as("calls while at most %d units are taken", max).isEqualTo(CALLS);
		LimitOutcome left = instances.get(0).peek(demand).outcome(0);
		if (on.algorithm().isBucket()) {
			assertThat(Duration.of(left.resetAfter(), ChronoUnit.MICROS)).as("time until the bucket is full")
				.isLessThan(Duration.ofDays(1));
		}
		else {
			assertThat(left.remaining()).as("units left when all are refunded").isEqualTo(max);
		}
	}

	/**
	 * Stores without plain rules decide demands only.
	 */
	@UnitByUnitTest
	void simultaneousPlainCallsAndDemandsAdmitExactlyMax(AlgorithmOnStore on) throws Exception {
		RuleCounts counts = RuleCounts.of(rule(on, "plain", MAX));
		String key = AlgorithmOnStore.freshKey();
		List<RateLimitStore> instances = on.store().instancesOnTheRealClock();
		List<PlainRule> plainRules = instances.stream().map((store) -> store.plain(counts)).toList();
		assertThat(count(instances, (store, number) -> {
			PlainRule plain = plainRules.get(number % plainRules.size());
			return (plain != null && number / 2 % 2 == 0) ? plain.decide(key, 1).allowed()
					: store.acquire(new Demand(counts, key, 1)).isAdmitted();
		})).isEqualTo(MAX);
	}

	private static RateLimitRule rule(AlgorithmOnStore on, String name, int max) {
		return RateLimitRule.named(name).limit(on.algorithm().limit(max, Duration.ofDays(366))).build();
	}

	private static long admitted(List<RateLimitStore> instances, List<List<Demand>> kinds) throws Exception {
		return count(instances,
				(store, number) -> store.acquire(Demands.of(kinds.get(number / 2 % kinds.size()))).isAdmitted());
	}

	private static long count(List<RateLimitStore> instances, Simultaneous.Call<Boolean> call) throws Exception {
		return Simultaneous.calls(CALLS, instances, call).stream().filter(Boolean::booleanValue).count();
	}

}
