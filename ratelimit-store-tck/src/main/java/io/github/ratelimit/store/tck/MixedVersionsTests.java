package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
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
		Random random = new Random(seed);
		for (int walk = 0; walk < WALKS; walk++) {
			walk(on, random, new Versions(random, on.algorithm(), false), "walk " + walk);
		}
	}

	@CommonWalk
	void versionsWithSeveralPeriodsTogetherAdmitWhatTheLargestBounds(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < WALKS; walk++) {
			walk(on, random, new Versions(random, on.algorithm(), true), "walk " + walk);
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
		Deque<long[]> admitted = new ArrayDeque<>();
		long units = 0;
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
				admitted.add(new long[] { counter.now(), cost });
				units += cost;
			}
			else {
				assertThat(counter.peek().remaining()).isEqualTo(seen.remaining());
			}
			while (!admitted.isEmpty() && admitted.peek()[0] <= counter.now() - versions.shortest()) {
				units -= admitted.remove()[1];
			}
			assertThat(units).as("%s, step %d: %s", description, i, versions).isLessThanOrEqualTo(versions.most());
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

	/**
	 * Two or three versions of a limit, one of which may be adaptive.
	 */
	private static final class Versions {

		private final Random random;

		private final AlgorithmUnderTest algorithm;

		private final Limit[] limits;

		private final long highest;

		private final boolean adaptive;

		Versions(Random random, AlgorithmUnderTest algorithm, boolean severalPeriods) {
			this.random = random;
			this.algorithm = algorithm;
			this.highest = 1 + random.nextInt(random.nextBoolean() ? 10 : 1_000);
			this.adaptive = random.nextBoolean();
			long millis = 1 + random.nextInt(100_000);
			this.limits = new Limit[2 + random.nextInt(2)];
			for (int i = 0; i < this.limits.length; i++) {
				long own = severalPeriods ? Math.max(1, millis * (1 + random.nextInt(12)) / (1 + random.nextInt(4)))
						: millis;
				this.limits[i] = vary(algorithm.limitUpTo(max(), Duration.ofMillis(own)));
			}
		}

		private long max() {
			return 1 + this.random.nextLong(this.highest);
		}

		private Limit vary(Limit limit) {
			return switch (this.algorithm) {
				case TOKEN_BUCKET, LEAKY_BUCKET -> this.random.nextBoolean() ? limit : limit.withBurst(max());
				case SLIDING_WINDOW -> limit.withSegments(2 + this.random.nextInt(20));
				default -> limit;
			};
		}

		Limit any() {
			return this.limits[this.random.nextInt(this.limits.length)];
		}

		/**
		 * Change the first version as the load of its node does.
		 */
		void adapt() {
			if (this.adaptive && this.random.nextInt(4) == 0) {
				this.limits[0] = this.algorithm.limitUpTo(max(), this.limits[0].period());
			}
		}

		long shortest() {
			return Arrays.stream(this.limits).mapToLong(Limit::periodMicros).min().orElseThrow();
		}

		/**
		 * Return the most units that the largest numbers admit in the shortest period.
		 * Windows whose edges differ may end one after the other.
		 */
		long most() {
			long most = this.algorithm
				.mostInAnyPeriod(this.algorithm.limitUpTo(this.highest, Duration.ofNanos(shortest() * 1_000)));
			long edges = Arrays.stream(this.limits).mapToLong(Limit::periodMicros).distinct().count() - 1;
			return switch (this.algorithm) {
				case FIXED_WINDOW, CALENDAR_WINDOW, WEIGHTED_WINDOW -> most + edges * this.highest;
				default -> most;
			};
		}

		@Override
		public String toString() {
			return Arrays.toString(this.limits);
		}

	}

}
