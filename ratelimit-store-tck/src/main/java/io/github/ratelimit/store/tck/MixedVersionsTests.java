package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Align;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Law 1 for instances with different numbers of one rule: a rolling deployment, adaptive
 * limits on each node, overrides that come and go. Together they admit at most what the
 * largest numbers bound, and nobody sees the denied calls of others.
 */
@Tag("every-redis")
class MixedVersionsTests {

	private static final int WALKS = Seeds.steps(20_000) / 100;

	private static final int STEPS_PER_WALK = 60;

	@CommonWalk
	void versionsTogetherAdmitWhatTheLargestBounds(AlgorithmOnStore on, long seed) {
		walks(on, new Random(seed), false);
	}

	@CommonWalk
	void versionsWithSeveralPeriodsTogetherAdmitWhatTheLargestBounds(AlgorithmOnStore on, long seed) {
		walks(on, new Random(seed), true);
	}

	private static void walks(AlgorithmOnStore on, Random random, boolean severalPeriods) {
		for (int walk = 0; walk < WALKS; walk++) {
			walk(on, random, new Versions(random, on.algorithm(), severalPeriods), "walk " + walk);
		}
	}

	/**
	 * Law 3 between versions with several periods.
	 */
	@CommonWalk
	void denialsAreHonestWhileVersionsTakeTurns(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < WALKS; walk++) {
			Versions versions = new Versions(random, on.algorithm(), true);
			Counter counter = on.counter(versions.any());
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				Limit limit = versions.any();
				long cost = 1 + random.nextInt((int) Math.min(20, limit.capacity()));
				long retryAfter = counter.change(limit).acquire(cost).retryAfter();
				String description = "seed " + seed + ", walk " + walk + ", step " + i + ": " + counter + ", "
						+ versions;
				if (retryAfter > 0) {
					long denied = counter.now();
					assertThat(counter.advance(retryAfter - 1).peek(cost).retryAfter()).as(description).isOne();
					assertThat(counter.advance(1).peek(cost).retryAfter()).as(description).isZero();
					counter.setClock(denied);
				}
				counter.advance(random.nextInt(3) * random.nextLong(versions.shortest()) / 2);
			}
		}
	}

	/**
	 * The count ends with the window of the clock, in which it was counted.
	 */
	@Test
	void denialIsHonestWhenWindowsBeginWithTheirFirstCallInstead() {
		for (StoreUnderTest store : AlgorithmOnStore.STORES) {
			Limit byClock = AlgorithmUnderTest.FIXED_WINDOW.limit(5, Duration.ofMinutes(1));
			Counter counter = new Counter(store, byClock, 1_699_999_980_000_000L + 40_000_000);
			counter.acquire(5);
			counter.change(byClock.withAlign(Align.FIRST_REQUEST)).advance(5_000_000);
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(15_000_000);
			assertThat(counter.peek().resetAfter()).isEqualTo(15_000_000);
			assertThat(counter.advance(15_000_000 - 1).peek(1).retryAfter()).isOne();
			assertThat(counter.advance(1).acquire(5).admitted()).isTrue();
			assertThat(counter.acquire(1).retryAfter()).isEqualTo(60_000_000);
		}
	}

	private static void walk(AlgorithmOnStore on, Random random, Versions versions, String description) {
		Counter counter = on.counter(versions.any());
		for (int i = 0; i < STEPS_PER_WALK; i++) {
			versions.adapt();
			Limit limit = versions.any();
			LimitOutcome seen = counter.change(limit).peek();
			long cost = switch (random.nextInt(4)) {
				case 0 -> Math.max(1, seen.remaining());
				case 1 -> seen.remaining() + 1;
				default -> 1 + random.nextInt((int) Math.min(5, limit.capacity()));
			};
			LimitOutcome outcome = counter.acquire(cost);
			if (outcome.admitted()) {
				versions.checkAdmitted(counter.now(), cost, description + ", step " + i);
			}
			else {
				assertThat(counter.peek().remaining()).isEqualTo(seen.remaining());
			}
			counter.advance(switch (random.nextInt(8)) {
				case 0 -> random.nextInt((int) Math.min(Integer.MAX_VALUE, versions.shortest()));
				case 1 -> Math.max(0, outcome.retryAfter());
				case 2 -> random.nextInt(2);
				case 3 -> versions.shortest() / 3;
				default -> 0;
			});
		}
	}

	/**
	 * The example of an operator: a denied call does not make units come back.
	 */
	@UnitByUnitTest
	void loweredLimitJudgesAndForgivesNothing(AlgorithmOnStore on) {
		Duration period = Duration.ofMinutes(1);
		Counter counter = on.counter(100, period);
		counter.acquire(2);
		for (int i = 0; i < 5; i++) {
			counter.change(on.algorithm().limit(1, period));
			assertThat(counter.acquire(1).admitted()).isFalse();
			assertThat(counter.peek().remaining()).isZero();
			counter.change(on.algorithm().limit(10, period));
			assertThat(counter.acquire(9).admitted()).isFalse();
			assertThat(counter.peek().remaining()).isEqualTo(8);
			assertThat(counter.change(on.algorithm().limit(100, period)).peek().remaining()).isEqualTo(98);
		}
	}

	@UnitByUnitTest
	void unitsAboveTheCapacityAreRefundedFirst(AlgorithmOnStore on) {
		Duration period = Duration.ofMinutes(1);
		Counter counter = on.counter(100, period);
		counter.acquire(50);
		counter.change(on.algorithm().limit(10, period)).acquire(1);
		assertThat(counter.refund(20).peek().remaining()).isZero();
		assertThat(counter.change(on.algorithm().limit(100, period)).peek().remaining()).isEqualTo(70);
	}

	@UnitByUnitTest
	void chargesJudgeByTheirOwnCapacityAndForgiveNothing(AlgorithmOnStore on) {
		Duration period = Duration.ofMinutes(1);
		Counter counter = on.counter(100, period);
		counter.acquire(50);
		counter.change(on.algorithm().limit(10, period)).charge(5);
		assertThat(counter.change(on.algorithm().limit(100, period)).peek().remaining()).isEqualTo(50);
		counter.change(on.algorithm().limit(60, period)).charge(20);
		assertThat(counter.change(on.algorithm().limit(100, period)).peek().remaining()).isEqualTo(40);
	}

	/**
	 * Law 8 for rules that get or lose plans while all numbers change, also those that
	 * change how windows begin.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#inStep")
	void storesAgreeWhenPlansAndNumbersChangeAtOnce(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < WALKS; walk++) {
			String key = AlgorithmOnStore.freshKey();
			Limit[] limits = IntStream.range(0, 3)
				.mapToObj((i) -> aligned(random, on.algorithm().randomLimit(random)))
				.toArray(Limit[]::new);
			long now = AlgorithmOnStore.NOW;
			for (int i = 0; i < STEPS_PER_WALK / 2; i++) {
				Limit limit = limits[random.nextInt(limits.length)];
				RateLimitRule rule = random.nextBoolean() ? AlgorithmOnStore.rule(limit)
						: AlgorithmOnStore.ruleWithPlans(limit);
				now += random.nextInt(3) * (random.nextLong() >>> 1) % (limit.periodMicros() / (1 + random.nextInt(4)));
				on.store().setClock(now);
				Demand demand = new Demand(rule, key, random.nextInt(3));
				long wait = on.store().acquire(List.of(demand)).get(0).retryAfter();
				if (wait > 0 && random.nextBoolean()) {
					now += wait;
				}
				else if (random.nextInt(6) == 0) {
					on.store().correct(List.of(Correction.refund(demand.withCost(1), Correction.NEWEST)));
				}
			}
		}
	}

	private static Limit aligned(Random random, Limit limit) {
		boolean isByClock = limit.algorithm() == AlgorithmUnderTest.FIXED_WINDOW.algorithm()
				&& limit.calendar() == null;
		return isByClock ? limit.withAlign(random.nextBoolean() ? Align.CLOCK : Align.FIRST_REQUEST) : limit;
	}

}
