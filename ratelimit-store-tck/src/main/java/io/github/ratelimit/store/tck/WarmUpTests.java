package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Warm-up admits single units only in turn: one call passes, the next one waits. Also
 * checks warming up and cooling down.
 */
class WarmUpTests {

	private static final Duration SECOND = Duration.ofSeconds(1);

	private static final long MILLI = 1_000;

	private static final long COLD = 300 * MILLI;

	private static final long WARM = 100 * MILLI;

	@StoreTest
	void nothingIsGrantedTwiceWhenTheClockGoesBack(StoreUnderTest store) {
		for (long back : new long[] { 1, MILLI, COLD, 60_000_000, 86_400_000_000L }) {
			Counter counter = counter(store);
			counter.acquire(1);
			assertThat(counter.advance(-back).acquire(1).retryAfter()).as("%s back", back).isEqualTo(COLD);
			assertThat(counter.advance(COLD - 1).acquire(1).retryAfter()).as("%s back", back).isOne();
			assertThat(counter.advance(1).drain()).as("%s back", back).isOne();
		}
	}

	@StoreTest
	void clockThatGoesBackNeitherWarmsNorCools(StoreUnderTest store) {
		Counter counter = warm(counter(store));
		counter.acquire(1);
		counter.advance(-86_400_000_000L);
		for (int i = 0; i < 10; i++) {
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(WARM);
			assertThat(counter.advance(WARM).acquire(1).admitted()).isTrue();
		}
	}

	@StoreTest
	void changedLimitChargesTheLastCallNoMoreThanBefore(StoreUnderTest store) {
		Counter counter = counter(store);
		counter.acquire(2);
		assertThat(retryAfter(counter, limit(10, SECOND, 10, 3))).isEqualTo(2 * COLD);
		assertThat(retryAfter(counter, limit(100, SECOND, 10, 3))).isEqualTo(2 * COLD / 10);
		assertThat(retryAfter(counter, limit(1, SECOND, 10, 3))).isEqualTo(2 * COLD);
		assertThat(retryAfter(counter, limit(10, SECOND.multipliedBy(60), 60, 3))).isEqualTo(2 * COLD);
		assertThat(retryAfter(counter, limit(10, SECOND, 100, 3))).isEqualTo(2 * COLD);
		assertThat(retryAfter(counter, limit(10, SECOND, 10, 10))).isEqualTo(2 * COLD);
		assertThat(retryAfter(counter, limit(10, SECOND, 10, 3))).isEqualTo(2 * COLD);
	}

	@StoreTest
	void changedLimitIsAsWarmAsItWas(StoreUnderTest store) {
		Counter counter = warm(counter(store));
		counter.change(limit(1000, SECOND, 100, 3)).acquire(1);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(MILLI);
	}

	@StoreTest
	void exactlyOneOfManySimultaneousCallsPasses(StoreUnderTest store) throws Exception {
		assertThat(simultaneous(store, 1_000, limit(100, Duration.ofDays(366), 2_592_000, 3))).isOne();
	}

	@StoreTest
	void simultaneousCallsPassEvenlyAndNoFaster(StoreUnderTest store) throws Exception {
		long begin = System.nanoTime();
		long admitted = simultaneous(store, 4_000, limit(100, SECOND, 1, 2));
		long elapsed = System.nanoTime() - begin;
		assertThat(admitted).isBetween(1L, 1 + elapsed / Duration.ofMillis(10).toNanos());
	}

	@StoreTest
	void deniedByOneLimitTakesFromNone(StoreUnderTest store) {
		RateLimitRule fast = AlgorithmOnStore.rule(limit(100, SECOND, 10, 3));
		RateLimitRule slow = RateLimitRule.named("slow").limit(limit(10, SECOND, 10, 3)).build();
		String key = AlgorithmOnStore.freshKey();
		Demand first = new Demand(fast, key, 1);
		List<Demand> both = List.of(first, new Demand(slow, key, 1));
		store.setClock(AlgorithmOnStore.NOW);
		assertThat(store.acquire(both)).allMatch(LimitOutcome::admitted);
		store.setClock(AlgorithmOnStore.NOW + WARM);
		for (int i = 0; i < 2; i++) {
			assertThat(store.acquire(both)).extracting(LimitOutcome::retryAfter).containsExactly(0L, COLD - WARM);
		}
		assertThat(store.acquire(List.of(first)).get(0).admitted()).isTrue();
	}

	@StoreTest
	void noPeriodHasMoreThanMaxUnitCalls(StoreUnderTest store) {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			Counter counter = counter(store, limit(7, SECOND, 1, 2));
			List<Long> admitted = new ArrayList<>();
			for (int i = 0; i < 2_000; i++) {
				LimitOutcome outcome = counter.advance(random.nextInt(60_000)).acquire(1);
				if (outcome.admitted()) {
					admitted.add(counter.now());
				}
			}
			for (int i = 7; i < admitted.size(); i++) {
				assertThat(admitted.get(i) - admitted.get(i - 7)).as("seed " + seed).isGreaterThanOrEqualTo(1_000_000);
			}
			assertThat(admitted.size()).as("seed " + seed).isGreaterThan(300);
		});
	}

	/**
	 * The result is a sum instead of an integral, so at most {@code coldFactor - 1}
	 * intervals longer.
	 */
	@StoreTest
	void warmsUpInTheWarmUpPeriod(StoreUnderTest store) {
		for (int factor : new int[] { 2, 3, 5, 10 }) {
			for (int seconds : new int[] { 1, 10, 60 }) {
				int interval = Math.max(10, seconds);
				Counter counter = counter(store, limit(100, Duration.ofMillis(100 * interval), seconds, factor));
				long micros = untilWarm(counter, 1, interval * MILLI) - AlgorithmOnStore.NOW;
				assertThat(micros).as(factor + " in " + seconds)
					.isBetween(seconds * 1_000_000L, seconds * 1_000_000L + factor * interval * MILLI);
			}
		}
	}

	@StoreTest
	void warmsUpUnderCallsAtRandomTimes(StoreUnderTest store) {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			Counter counter = counter(store);
			long end = counter.now() + 40_000_000;
			while (counter.now() < end) {
				counter.acquire(1);
				counter.advance(Math.round(-Math.log(1 - random.nextDouble()) * 10 * MILLI));
			}
			counter.advance(WARM).acquire(1);
			assertThat(counter.acquire(1).retryAfter()).as("seed " + seed).isEqualTo(WARM);
		});
	}

	@StoreTest
	void turnsColdWithoutCalls(StoreUnderTest store) {
		Counter counter = warm(counter(store));
		long resetAfter = counter.peek().resetAfter();
		assertThat(counter.advance(resetAfter - 1).peek().resetAfter()).isOne();
		assertThat(counter.advance(1).peek()).isEqualTo(new LimitOutcome(10, 0, 0));
		counter.acquire(1);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(COLD);
	}

	@StoreTest
	void largestBucketWarmsUpInItsTime(StoreUnderTest store) {
		Counter counter = counter(store, limit(1_000_000_000, SECOND, 1_000, 3));
		assertThat(untilWarm(counter, 1_000_000_000, 1_000_000) - AlgorithmOnStore.NOW).isBetween(1_000_000_000L,
				1_003_000_000L);
	}

	@StoreTest
	void unitThatIsTheWholeBucketWarmsItUp(StoreUnderTest store) {
		Counter counter = counter(store, limit(1, SECOND, 1, 3));
		counter.acquire(1);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(3_000_000);
		counter.advance(3_000_000).acquire(1);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(1_000_000);
	}

	private static Limit limit(long max, Duration period, int warmUpSeconds, int coldFactor) {
		return Limit.of(max, period)
			.withWarmUpPeriod(Duration.ofSeconds(warmUpSeconds))
			.withColdFactor(coldFactor)
			.withAlgorithm(Algorithm.WARM_UP);
	}

	private static Counter counter(StoreUnderTest store) {
		return counter(store, AlgorithmUnderTest.WARM_UP.limit(10, SECOND));
	}

	private static Counter counter(StoreUnderTest store, Limit limit) {
		return new Counter(store, limit, AlgorithmOnStore.NOW);
	}

	private static long retryAfter(Counter counter, Limit changed) {
		return counter.change(changed).acquire(1).retryAfter();
	}

	private static Counter warm(Counter counter) {
		untilWarm(counter, 1, WARM);
		return counter;
	}

	/**
	 * Take a cost as soon as possible until the next call waits no longer than the
	 * shortest interval.
	 * @return the time of the last call
	 */
	private static long untilWarm(Counter counter, long cost, long shortest) {
		while (true) {
			assertThat(counter.acquire(cost).admitted()).isTrue();
			long retryAfter = counter.acquire(cost).retryAfter();
			if (retryAfter == shortest) {
				return counter.now();
			}
			counter.advance(retryAfter);
		}
	}

	private static long simultaneous(StoreUnderTest store, int calls, Limit limit) throws Exception {
		Demand demand = new Demand(AlgorithmOnStore.rule(limit), AlgorithmOnStore.freshKey(), 1);
		List<Boolean> admitted = Simultaneous.calls(calls, store.instancesOnTheRealClock(),
				(instance, number) -> instance.acquire(demand).isAdmitted());
		return admitted.stream().filter(Boolean::booleanValue).count();
	}

}
