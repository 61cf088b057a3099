package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 5: of n simultaneous calls exactly as many are admitted as n calls one after the
 * other.
 */
class ConcurrencyTests {

	private static final int CALLS = 2_000;

	private static final int THREADS = 50;

	private static final int MAX = 100;

	@UnitByUnitTest
	void exactlyMaxOfManySimultaneousCallsAreAdmitted(AlgorithmOnStore on) throws Exception {
		Demand demand = new Demand(rule(on, "rule", MAX), AlgorithmOnStore.freshKey(), 1);
		assertThat(admitted(on, List.of(List.of(demand)))).isEqualTo(MAX);
	}

	@UnitByUnitTest
	void overlappingRulesInAnyOrderNeitherDeadlockNorAdmitMore(AlgorithmOnStore on) throws Exception {
		Demand first = new Demand(rule(on, "first", MAX), AlgorithmOnStore.freshKey(), 1);
		Demand second = new Demand(rule(on, "second", 3 * MAX), AlgorithmOnStore.freshKey(), 1);
		assertThat(admitted(on, List.of(List.of(first, second), List.of(second, first)))).isEqualTo(MAX);
	}

	@UnitByUnitTest
	void allOrNothingHoldsUnderConcurrency(AlgorithmOnStore on) throws Exception {
		Demand wide = new Demand(rule(on, "wide", 3 * MAX), AlgorithmOnStore.freshKey(), 1);
		Demand narrow = new Demand(rule(on, "narrow", MAX), AlgorithmOnStore.freshKey(), 1);
		List<RateLimitStore> instances = on.store().instancesOnTheRealClock();
		admitted(instances, List.of(List.of(wide, narrow)));
		assertThat(admitted(instances, List.of(List.of(wide)))).isEqualTo(2 * MAX);
	}

	private static RateLimitRule rule(AlgorithmOnStore on, String name, int max) {
		return RateLimitRule.named(name).limit(on.algorithm().limit(max, Duration.ofDays(366))).build();
	}

	private static long admitted(AlgorithmOnStore on, List<List<Demand>> kinds) throws Exception {
		return admitted(on.store().instancesOnTheRealClock(), kinds);
	}

	private static long admitted(List<RateLimitStore> instances, List<List<Demand>> kinds) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(THREADS);
		try {
			CountDownLatch start = new CountDownLatch(1);
			List<Future<Boolean>> calls = new ArrayList<>();
			for (int i = 0; i < CALLS; i++) {
				RateLimitStore store = instances.get(i % instances.size());
				Demands demands = Demands.of(kinds.get(i / 2 % kinds.size()));
				calls.add(threads.submit(() -> {
					start.await();
					return store.acquire(demands).isAdmitted();
				}));
			}
			start.countDown();
			return count(calls);
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static long count(List<Future<Boolean>> calls) throws InterruptedException, ExecutionException {
		long admitted = 0;
		for (Future<Boolean> call : calls) {
			admitted += call.get() ? 1 : 0;
		}
		return admitted;
	}

}
