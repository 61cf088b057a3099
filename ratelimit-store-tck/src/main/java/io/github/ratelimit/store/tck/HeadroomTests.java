package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

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
				calls.check(random, random.nextInt(4), "seed " + seed + ", rule " + i + ", call " + j);
			}
		}
	}

	/**
	 * Law 1 for versions of a rule, of which each leaves free what it says.
	 */
	@CommonWalk
	void versionsDecideByTheirOwnHeadroomAndTogetherAdmitWhatTheLargestBounds(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int i = 0; i < RULES; i++) {
			Versions versions = new Versions(random, on.algorithm(), random.nextBoolean());
			Calls calls = new Calls(on, versions.any());
			List<RuleCounts> rules = versions.all()
				.map((limit) -> RuleCounts.of(rule(limit, random.nextInt(100), random.nextInt(5))))
				.toList();
			for (int j = 0; j < CALLS; j++) {
				calls.change(rules.get(random.nextInt(rules.size()))).advance(random);
				long cost = RandomNumbers.magnitude(random, 1, calls.plain.limit().capacity());
				String description = "seed " + seed + ", rule " + i + ", call " + j;
				if (calls.check(random, cost, description).admitted()) {
					versions.checkAdmitted(calls.plain.now(), cost, description);
				}
			}
		}
	}

	@StoreTest
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

	private static RateLimitRule rule(Limit limit) {
		return rule(limit, 30, 1);
	}

	/**
	 * Return a rule with classes, which may leave nothing to one of them.
	 */
	private static RateLimitRule rule(Limit limit, int percentOfLow, int unitsOfNormal) {
		return RateLimitRule.named("classes")
			.limit(100, Duration.ofMinutes(1))
			.headroom("low", Headroom.ofPercent(percentOfLow))
			.headroom("normal", Headroom.ofUnits(unitsOfNormal))
			.headroom("other", Headroom.ofPercent(50))
			.build()
			.withLimits(List.of(limit));
	}

	/**
	 * Calls of one key of a rule with classes, and the same calls of a rule without.
	 */
	private static final class Calls {

		private final StoreUnderTest store;

		private final String key = AlgorithmOnStore.freshKey();

		private final Counter plain;

		private RuleCounts counts;

		Calls(AlgorithmOnStore on, Limit limit) {
			assumeThat(PACING).doesNotContain(on.algorithm());
			this.store = on.store();
			this.plain = on.counter(limit);
			this.counts = RuleCounts.of(rule(limit));
		}

		Calls change(RuleCounts changed) {
			this.counts = changed;
			this.plain.change(changed.rule().limits().get(0));
			return this;
		}

		void advance(Random random) {
			this.plain.advance(random.nextBoolean() ? 0 : RandomNumbers.magnitude(random, 1, 100_000_000));
		}

		private Demand of(String priority, long cost) {
			return new Demand(this.counts, this.key, cost).withPriority(priority).belowHeadroom();
		}

		private LimitOutcome acquire(String priority, long cost) {
			this.store.setClock(this.plain.now());
			return this.store.acquire(List.of(of(priority, cost))).get(0);
		}

		/**
		 * Return when a call is admitted, 0 if it is now.
		 */
		long take(String priority, long cost) {
			return acquire(priority, cost).retryAfter();
		}

		/**
		 * Check a call by the rule without classes, which takes its cost if it admits the
		 * headroom, too. Sometimes wait as long as the call would have to.
		 */
		LimitOutcome check(Random random, long cost, String description) {
			String priority = CLASSES.get(random.nextInt(CLASSES.size()));
			RateLimitRule rule = this.counts.rule();
			Headroom headroom = rule.headroom().get(rule.classOf(priority));
			long free = (headroom != null) ? headroom.of(this.plain.limit().capacity()) : 0;
			boolean takes = cost == 0 || this.plain.peek(cost + free).admitted();
			LimitOutcome expected = this.plain.acquire(takes ? cost : cost + free);
			LimitOutcome outcome = acquire(priority, cost);
			assertThat(outcome).as(description)
				.isEqualTo(new LimitOutcome(Math.max(0, expected.remaining() - free), expected.retryAfter(),
						expected.resetAfter()));
			if (outcome.retryAfter() > 0 && random.nextBoolean()) {
				this.plain.advance(outcome.retryAfter() - 1);
				assertThat(peek(priority, cost).retryAfter()).as(description).isOne();
				this.plain.advance(1);
				assertThat(peek(priority, cost).retryAfter()).as(description).isZero();
			}
			return outcome;
		}

		private LimitOutcome peek(String priority, long cost) {
			this.store.setClock(this.plain.now());
			return this.store.peek(of(priority, cost));
		}

	}

}
