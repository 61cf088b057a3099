package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Headroom;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.algorithm.Count;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

/**
 * Calls of classes that leave a part of the capacity free: a call is decided as one of
 * its cost and the headroom of its class together, and takes its cost.
 */
class HeadroomTests {

	private static final Set<AlgorithmUnderTest> PACING = EnumSet.of(AlgorithmUnderTest.LEAKY_BUCKET,
			AlgorithmUnderTest.WARM_UP);

	private static final List<String> CLASSES = Arrays.asList("low", "normal", "high", null);

	private static final int RULES = Seeds.steps(20_000) / 200;

	private static final int CALLS = 40;

	static Stream<StoreUnderTest> stores() {
		return AlgorithmOnStore.STORES.stream();
	}

	@CommonTest
	void lowNeverTakesTheLastThirtyPercentAndHighTakesAll(AlgorithmOnStore on) {
		Calls calls = new Calls(on, on.algorithm().limit(10, Duration.ofMinutes(1)));
		assertThat(calls.take("low", 7)).isZero();
		assertThat(calls.take("low", 1)).isPositive();
		assertThat(calls.take("other", 1)).isPositive();
		assertThat(calls.take("high", 1)).isZero();
		assertThat(calls.take("normal", 1)).isZero();
		assertThat(calls.take("normal", 1)).isPositive();
		assertThat(calls.take("high", 1)).isZero();
		assertThat(calls.take("high", 1)).isPositive();
	}

	@CommonTest
	void costAndHeadroomAboveTheCapacityAreNeverAdmitted(AlgorithmOnStore on) {
		Calls calls = new Calls(on, on.algorithm().limit(10, Duration.ofMinutes(1)));
		assertThat(calls.take("low", 8)).isEqualTo(Count.NEVER);
		assertThat(calls.take(null, 6)).isEqualTo(Count.NEVER);
		assertThat(calls.take("high", 10)).isZero();
	}

	@CommonWalk
	void callIsDecidedAsOneOfItsCostAndTheHeadroom(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < RULES; i++) {
			Calls calls = new Calls(on,
					on.algorithm()
						.vary(on.algorithm().limit(1 + random.nextInt(40), Duration.ofSeconds(1 + random.nextInt(100))),
								random));
			for (int j = 0; j < CALLS; j++) {
				calls.advance(random);
				calls.check(CLASSES.get(random.nextInt(CLASSES.size())), random.nextInt(4),
						"seed " + seed + ", rule " + i + ", call " + j);
			}
		}
	}

	@ParameterizedTest
	@MethodSource("stores")
	void lowNeverHoldsTheLastSlots(StoreUnderTest store) {
		store.setClock(AlgorithmOnStore.NOW);
		RuleCounts counts = RuleCounts.of(rule(Limit.ofConcurrency(10)));
		String key = AlgorithmOnStore.freshKey();
		Demand low = new Demand(counts, key, 7).withPriority("low").belowHeadroom();
		assertThat(store.answer(low).isAdmitted()).isTrue();
		assertThat(store.answer(new Demand(counts, key, 1).withPriority("low").belowHeadroom()).isAdmitted()).isFalse();
		assertThat(store.answer(new Demand(counts, key, 3).withPriority("high").belowHeadroom()).isAdmitted()).isTrue();
		store.correct(List.of(Correction.refund(low.withCost(0), AlgorithmOnStore.NOW)));
		assertThat(store.answer(new Demand(counts, key, 5).withPriority("low").belowHeadroom()).isAdmitted()).isFalse();
		assertThat(store.answer(new Demand(counts, key, 4).withPriority("low").belowHeadroom()).isAdmitted()).isTrue();
	}

	/**
	 * Return a rule with classes, which may leave nothing to one of them.
	 */
	private static RateLimitRule rule(Limit limit) {
		return RateLimitRule.named("classes")
			.limit(100, Duration.ofMinutes(1))
			.headroom("low", Headroom.ofPercent(30))
			.headroom("normal", Headroom.ofUnits(1))
			.headroom("other", Headroom.ofPercent(50))
			.build()
			.withLimits(List.of(limit));
	}

	/**
	 * Calls of one key of a rule with classes.
	 */
	private static final class Calls {

		private final StoreUnderTest store;

		private final RuleCounts counts;

		private final String key = AlgorithmOnStore.freshKey();

		private long now = AlgorithmOnStore.NOW;

		Calls(AlgorithmOnStore on, Limit limit) {
			assumeThat(PACING).doesNotContain(on.algorithm());
			this.store = on.store();
			this.counts = RuleCounts.of(rule(limit));
		}

		void advance(Random random) {
			this.now += random.nextBoolean() ? 0 : RandomNumbers.magnitude(random, 1, 100_000_000);
		}

		private Demand of(String priority, long cost) {
			return new Demand(this.counts, this.key, cost).withPriority(priority).belowHeadroom();
		}

		/**
		 * Return when a call is admitted, 0 if it is now.
		 */
		long take(String priority, long cost) {
			this.store.setClock(this.now);
			return this.store.acquire(List.of(of(priority, cost))).get(0).retryAfter();
		}

		private LimitOutcome peek(long cost) {
			return this.store.peek(new Demand(this.counts, this.key, cost));
		}

		void check(String priority, long cost, String description) {
			this.store.setClock(this.now);
			RateLimitRule rule = this.counts.rule();
			Headroom headroom = rule.headroom().get(rule.classOf(priority));
			long free = (headroom != null) ? headroom.of(rule.limits().get(0).capacity()) : 0;
			LimitOutcome together = peek(cost + free);
			LimitOutcome outcome = this.store.acquire(List.of(of(priority, cost))).get(0);
			assertThat(outcome.retryAfter()).as(description).isEqualTo((cost > 0) ? together.retryAfter() : 0);
			LimitOutcome after = peek(0);
			assertThat(outcome.remaining()).as(description).isEqualTo(Math.max(0, after.remaining() - free));
			assertThat(outcome.resetAfter()).as(description).isEqualTo(after.resetAfter());
			if (outcome.retryAfter() > 1_000) {
				checkHonest(priority, cost, outcome.retryAfter(), description);
			}
		}

		private void checkHonest(String priority, long cost, long retryAfter, String description) {
			this.store.setClock(this.now + retryAfter - 1_000);
			assertThat(this.store.peek(of(priority, cost)).admitted()).as(description).isFalse();
			this.store.setClock(this.now + retryAfter);
			assertThat(this.store.peek(of(priority, cost)).admitted()).as(description).isTrue();
		}

	}

}
