package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Limits that also count denied calls.
 */
@Tag("every-redis")
class CountDeniedTests {

	private static final Duration PERIOD = Duration.ofMinutes(1);

	private static final int STATES = Seeds.steps(20_000) / 40;

	@StoreTest
	void repeatedCallsOnALogStayDeniedOnlyWithCountDenied(StoreUnderTest store) {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD);
		assertThat(admittedOfOnePerSecond(store, limit.withCountDenied(true))).isEqualTo(5);
		assertThat(admittedOfOnePerSecond(store, limit)).isEqualTo(50);
	}

	private static int admittedOfOnePerSecond(StoreUnderTest store, Limit limit) {
		Counter counter = new Counter(store, limit, AlgorithmOnStore.NOW);
		int admitted = 0;
		for (int second = 0; second < 600; second++) {
			admitted += counter.acquire(1).admitted() ? 1 : 0;
			counter.advance(1_000_000);
		}
		return admitted;
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void deniedCallTakesTheRemainingUnits(AlgorithmOnStore on) {
		Counter counter = on.counter(on.algorithm().limit(5, PERIOD));
		counter.acquire(3);
		counter.acquire(3);
		assertThat(counter.acquire(2).admitted()).isTrue();
		Counter strict = on.counter(counting(on, 5, PERIOD));
		strict.acquire(3);
		assertThat(strict.acquire(3).remaining()).isZero();
		assertThat(strict.acquire(2).admitted()).isFalse();
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#countingDeniedInStep")
	void admitsAfterRetryAfterAndNotEarlier(AlgorithmOnStore on, long seed) {
		for (int i = 0; i < STATES; i++) {
			for (long early : new long[] { 0, 1 }) {
				Counter counter = on.wornCounterCountingDenied(new Random(seed + i));
				String description = "seed " + (seed + i) + ": " + counter;
				long cost = counter.peek().remaining() + 1;
				if (cost <= counter.limit().max()) {
					long retryAfter = counter.acquire(cost).retryAfter();
					assertThat(retryAfter).as(description).isPositive();
					assertThat(counter.advance(retryAfter - early).acquire(cost).admitted()).as(description)
						.isEqualTo(early == 0);
				}
			}
		}
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#countingDeniedInStep")
	void costThatCanNeverBeAndCostZeroCountNothing(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < STATES; i++) {
			Counter counter = on.wornCounterCountingDenied(random);
			LimitOutcome before = counter.peek();
			assertThat(counter.acquire(counter.limit().max() + 1).retryAfter()).isEqualTo(-1);
			assertThat(counter.acquire(Long.MAX_VALUE).retryAfter()).isEqualTo(-1);
			assertThat(counter.peek()).as("seed " + seed + ", state " + i + ": " + counter).isEqualTo(before);
			assertThat(before.admitted()).isTrue();
		}
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void deniedCallCountsInEveryLimitThatWantsIt(AlgorithmOnStore on) {
		RateLimitRule rule = rule("rule", counting(on, 1, PERIOD), counting(on, 5, Duration.ofHours(1)),
				on.algorithm().limit(5, Duration.ofHours(1)));
		RateLimitRule other = rule("other", counting(on, 5, PERIOD));
		List<Demand> demands = List.of(demand(rule, 1), demand(other, 1));
		assertThat(acquire(on, demands)).extracting(LimitOutcome::remaining).containsExactly(0L, 4L, 4L, 4L);
		assertThat(acquire(on, demands)).extracting(LimitOutcome::remaining).containsExactly(0L, 3L, 4L, 3L);
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void deniedCallThatOneLimitCanNeverAdmitCountsInNone(AlgorithmOnStore on) {
		RateLimitRule rule = rule("rule", counting(on, 2, PERIOD), counting(on, 5, PERIOD));
		RateLimitRule other = rule("other", counting(on, 5, PERIOD));
		assertThat(acquire(on, List.of(demand(rule, 3), demand(other, 1)))).containsExactly(new LimitOutcome(2, -1, 0),
				new LimitOutcome(5, 0, 0), new LimitOutcome(5, 0, 0));
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void ruleThatIsOnlyLookedAtCountsNothing(AlgorithmOnStore on) {
		Demand full = demand(rule("full", counting(on, 1, PERIOD)), 1);
		Demand looked = demand(rule("looked", counting(on, 5, PERIOD)), 0);
		acquire(on, List.of(full));
		assertThat(acquire(on, List.of(full, looked))).last().isEqualTo(new LimitOutcome(5, 0, 0));
	}

	@ParameterizedTest
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#thatCanCountDenied")
	void waitIsHonestForALimitThatHadRoomUntilTheDeniedCallTookIt(AlgorithmOnStore on) {
		RateLimitRule rule = rule("rule", counting(on, 1, Duration.ofSeconds(1)), counting(on, 2, PERIOD));
		List<Demand> demands = List.of(demand(rule, 1));
		acquire(on, demands);
		long retryAfter = acquire(on, demands).stream().mapToLong(LimitOutcome::retryAfter).max().orElseThrow();
		assertThat(retryAfter).isGreaterThan(1_000_000);
		on.store().setClock(AlgorithmOnStore.NOW + retryAfter);
		assertThat(on.store().acquire(demands)).allMatch(LimitOutcome::admitted);
	}

	@StoreTest
	void logUnderAttackKeepsAtMostTwiceMax(StoreUnderTest store) {
		Random random = new Random(7);
		for (int max : new int[] { 1, 5, 64, 300 }) {
			Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(max, PERIOD);
			Limit wide = AlgorithmUnderTest.SLIDING_LOG.limit(Limit.MAX_LOG_ENTRIES, PERIOD);
			Counter counter = new Counter(store, limit, AlgorithmOnStore.NOW);
			LongSupplier cost = () -> random.nextBoolean() ? 1 : 1 + random.nextInt(max);
			for (int i = 0; i < 500; i++) {
				counter.change(limit.withCountDenied(true)).advance(random.nextInt(1000)).acquire(cost.getAsLong());
				assertThat(counter.change(wide).peek().remaining())
					.isGreaterThanOrEqualTo(Limit.MAX_LOG_ENTRIES - 2 * max);
			}
		}
	}

	@StoreTest
	void intervalBetweenCallsIsNotCounted(StoreUnderTest store) {
		Limit limit = AlgorithmUnderTest.SLIDING_LOG.limit(5, PERIOD)
			.withCountDenied(true)
			.withMinInterval(Duration.ofSeconds(1));
		Counter counter = new Counter(store, limit, AlgorithmOnStore.NOW);
		counter.acquire(1);
		assertThat(counter.advance(400_000).acquire(1)).isEqualTo(new LimitOutcome(3, 600_000, 60_000_000));
		assertThat(counter.advance(600_000).acquire(1).admitted()).isTrue();
	}

	private static Limit counting(AlgorithmOnStore on, long max, Duration period) {
		return on.algorithm().limit(max, period).withCountDenied(true);
	}

	private static RateLimitRule rule(String name, Limit... limits) {
		RateLimitRule.Builder rule = RateLimitRule.named(name);
		for (int i = 0; i < limits.length; i++) {
			rule.limit(limits[i].withName("limit-" + i));
		}
		return rule.build();
	}

	private static Demand demand(RateLimitRule rule, long cost) {
		return new Demand(rule, AlgorithmOnStore.freshKey(), cost);
	}

	private static List<LimitOutcome> acquire(AlgorithmOnStore on, List<Demand> demands) {
		on.store().setClock(AlgorithmOnStore.NOW);
		return on.store().acquire(demands);
	}

}
