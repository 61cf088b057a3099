package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.Seeds;
import io.github.ratelimit.algorithm.AlgorithmUnderTest;
import io.github.ratelimit.store.AlgorithmOnStore;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.local.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls of three instances that prefetch, in simulated time, against oracles that
 * remember every call.
 */
@Tag("every-redis")
class PrefetchWalkTests {

	private static final int STEPS = Seeds.steps(2_000);

	private static final int STEPS_PER_WALK = 200;

	/**
	 * Return the algorithms whose state depends only on the units that were used. A
	 * bucket also refills beside units that are returned later, and a window may begin
	 * with them.
	 */
	static Stream<Arguments> algorithmsThatForgetUnusedUnits() {
		return withSeeds(AlgorithmUnderTest.SLIDING_LOG, AlgorithmUnderTest.SLIDING_WINDOW,
				AlgorithmUnderTest.WEIGHTED_WINDOW, AlgorithmUnderTest.FIXED_WINDOW);
	}

	static Stream<Arguments> algorithms() {
		return Stream.concat(algorithmsThatForgetUnusedUnits(),
				withSeeds(AlgorithmUnderTest.FIXED_WINDOW_FROM_FIRST_REQUEST, AlgorithmUnderTest.TOKEN_BUCKET));
	}

	private static Stream<Arguments> withSeeds(AlgorithmUnderTest... algorithms) {
		return Stream.of(algorithms)
			.flatMap((algorithm) -> Seeds.seeds().mapToObj((seed) -> Arguments.of(algorithm, seed)));
	}

	/**
	 * A store that fetches nothing ahead admits each call at the time as of which it was
	 * counted. When nobody holds units, Redis knows as much as that store, to the unit:
	 * what was not used has come back, and the next call is decided exactly.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsThatForgetUnusedUnits")
	void everyAdmittedCallFitsAtTheTimeAsOfWhichItCounts(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		long paid = 0;
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			paid += walkWithoutFailures(algorithm, random);
		}
		assertThat(paid).as("calls that were paid with units held").isPositive();
	}

	/**
	 * The same with calls of several plans, which change while nobody holds units. By
	 * another period, units may count as of a later time if others of their window were
	 * returned since. Then Redis may admit fewer calls until nothing counts any more.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithmsThatForgetUnusedUnits")
	void everyAdmittedCallFitsUnderItsPlan(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		long paid = 0;
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			paid += walkWithoutFailures(new Calls(random, ruleWithPlans(algorithm, random)), random);
		}
		assertThat(paid).as("calls that were paid with units held").isPositive();
	}

	private long walkWithoutFailures(AlgorithmUnderTest algorithm, Random random) {
		return walkWithoutFailures(new Calls(random, rule(algorithm, random)), random);
	}

	private long walkWithoutFailures(Calls calls, Random random) {
		LocalStoreUnderTest oracle = new LocalStoreUnderTest();
		for (int step = 1; step <= STEPS_PER_WALK; step++) {
			calls.some();
			if (random.nextInt(20) == 0) {
				calls.refund(random.nextInt(1 + calls.admitted.size()));
			}
			if (step % 20 == 0) {
				calls.waitUntilNobodyHoldsUnits();
				calls.replayOn(oracle);
				calls.changePlan();
			}
		}
		return calls.paid;
	}

	/**
	 * Instances that die keep their units counted, limits that change hold for the units
	 * fetched from then on.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("algorithms")
	void admitsNoMoreThanTheBoundInAnyPeriod(AlgorithmUnderTest algorithm, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			Calls calls = new Calls(random,
					random.nextBoolean() ? rule(algorithm, random) : ruleWithPlans(algorithm, random));
			Limit limit = calls.rule.rule().limits().get(0);
			for (int step = 0; step < STEPS_PER_WALK; step++) {
				calls.some();
				if (random.nextInt(40) == 0) {
					calls.simulation.kill(calls.simulation.anyInstance());
				}
				if (random.nextInt(40) == 0) {
					long lower = 1 + random.nextInt((int) limit.max());
					calls.rule = calls.rule.variant(
							calls.rule.rule().withLimits(List.of(random.nextBoolean() ? limit : limit.withMax(lower))));
				}
			}
			calls.assertBound(algorithm, limit);
		}
	}

	private static RuleCounts rule(AlgorithmUnderTest algorithm, Random random) {
		Duration period = Duration.ofMillis(40 + random.nextInt(400));
		long max = 4 + random.nextInt(random.nextBoolean() ? 20 : 400);
		Limit limit = algorithm.limit(max, period);
		if (algorithm == AlgorithmUnderTest.TOKEN_BUCKET) {
			limit = limit.withBurst(max);
		}
		return RuleCounts
			.of(RateLimitRule.named("rule").limit(limit).prefetch(Duration.ofMillis(1 + random.nextInt(30))).build());
	}

	/**
	 * Return a rule that has plans, as it counts calls of one of them.
	 */
	private static RuleCounts ruleWithPlans(AlgorithmUnderTest algorithm, Random random) {
		RateLimitRule rule = rule(algorithm, random).rule();
		return RuleCounts.of(RateLimitRule.named("rule")
			.limit(rule.limits().get(0))
			.prefetch(rule.prefetch())
			.plan("#plan")
			.build());
	}

	/**
	 * Calls of one key, and what was admitted of them.
	 */
	private static final class Calls {

		private final Random random;

		private final PrefetchSimulation simulation;

		private final String key = AlgorithmOnStore.freshKey();

		private final List<Admitted> admitted = new ArrayList<>();

		private final List<Refunded> refunds = new ArrayList<>();

		private final List<Long> times = new ArrayList<>();

		private RuleCounts rule;

		private long paid;

		private long countedBy;

		Calls(Random random, RuleCounts rule) {
			this.random = random;
			this.rule = rule;
			this.countedBy = rule.rule().limits().get(0).periodMicros();
			this.simulation = new PrefetchSimulation(random, 3);
		}

		/**
		 * Let some calls come close to each other, now and then after a pause.
		 */
		void some() {
			PrefetchSimulation.Instance instance = this.simulation.anyInstance();
			for (int i = this.random.nextInt(12); i >= 0; i--) {
				long cost = (this.random.nextInt(4) > 0) ? 1 : 1 + this.random.nextInt(3);
				Demand demand = new Demand(this.rule, StoredKey.of(this.key), cost, 0);
				instance.store().acquireAsync(demand).thenAccept((answer) -> {
					if (answer.isAdmitted()) {
						admitted(instance, (RuleAnswer) answer);
					}
				});
				this.simulation.advance(this.random.nextInt(200));
			}
			long period = this.rule.rule().limits().get(0).periodMicros();
			this.simulation.advance((this.random.nextInt(20) == 0) ? this.random.nextInt((int) (2 * period))
					: this.random.nextInt(1_000));
		}

		private void admitted(PrefetchSimulation.Instance instance, RuleAnswer answer) {
			long now = this.simulation.now();
			boolean isPaid = answer.time() > now;
			this.paid += isPaid ? 1 : 0;
			this.admitted.add(new Admitted(instance, answer, isPaid));
			for (int i = 0; i < answer.demand().cost(); i++) {
				this.times.add(Math.min(now, answer.time()));
			}
		}

		/**
		 * Refund an admitted call. If its units are still held, it has never been.
		 */
		void refund(int index) {
			if (index < this.admitted.size()) {
				Admitted call = this.admitted.get(index);
				boolean isPutBack = call.instance.store()
					.refundAsync(List.of(call.answer.refund()))
					.toCompletableFuture()
					.isDone();
				boolean isHeld = call.answer.refund().slot() > call.instance.lastRun();
				if (isPutBack || isHeld) {
					this.admitted.remove(index);
				}
				else {
					this.refunds.add(new Refunded(call.answer.refund(), call.instance.lastRun()));
				}
			}
		}

		/**
		 * Change the plan of the following calls, if the rule has plans. If the last
		 * change was one of the period, nothing counts any more before the next.
		 */
		void changePlan() {
			if (this.rule.rule().hasPlans()) {
				Limit limit = this.rule.rule().limits().get(0);
				boolean forgets = limit.periodMicros() != this.countedBy;
				if (forgets) {
					this.simulation.advance(2 * Math.max(limit.periodMicros(), this.countedBy));
				}
				long max = 1 + this.random.nextInt(this.random.nextBoolean() ? 20 : 400);
				Limit.Builder plan = limit.toBuilder().max(max);
				if (this.random.nextBoolean()) {
					plan.period(Duration.ofMillis(40 + this.random.nextInt(400)));
				}
				this.rule = this.rule.variant(this.rule.rule().withLimits(List.of(plan.build())));
				this.countedBy = (forgets ? plan.build() : limit).periodMicros();
			}
		}

		void waitUntilNobodyHoldsUnits() {
			this.simulation.advance(this.rule.rule().prefetch().toNanos() / 1000 + 60_000);
		}

		/**
		 * Replay everything in order of the times as of which it counts.
		 */
		void replayOn(LocalStoreUnderTest oracle) {
			this.admitted.sort(Comparator.comparingLong((Admitted call) -> call.answer.time())
				.thenComparing((Admitted call) -> call.isPaid ? 0 : 1));
			this.refunds.sort(Comparator.comparingLong(Refunded::time));
			for (Admitted call : this.admitted) {
				refundBefore(oracle, call.answer.time());
				oracle.setClock(call.answer.time());
				List<LimitOutcome> outcome = oracle.acquire(List.of(call.answer.demand()));
				assertThat(outcome.get(0).retryAfter()).as(call.answer::toString).isZero();
			}
			refundBefore(oracle, this.simulation.now() + 1);
			this.admitted.clear();
			Demand next = new Demand(this.rule, StoredKey.of(this.key), 1 + this.random.nextInt(3), 0);
			List<RuleAnswer> answers = new ArrayList<>();
			this.simulation.anyInstance().store().acquireAsync(next).thenAccept((answer) -> answers.add(answer.get(0)));
			this.simulation.advance(50_000);
			oracle.setClock(answers.get(0).time());
			assertAnswered(next, answers.get(0).outcome(0), oracle.acquire(List.of(next)).get(0));
		}

		private void assertAnswered(Demand next, LimitOutcome actual, LimitOutcome expected) {
			if (next.rule().limits().get(0).periodMicros() == this.countedBy) {
				assertThat(actual).as(next::toString).isEqualTo(expected);
			}
			else {
				assertThat(actual.retryAfter()).as(next::toString).isGreaterThanOrEqualTo(expected.retryAfter());
			}
		}

		private void refundBefore(LocalStoreUnderTest oracle, long time) {
			while (!this.refunds.isEmpty() && this.refunds.get(0).time < time) {
				Refunded next = this.refunds.remove(0);
				oracle.setClock(next.time);
				oracle.refund(List.of(next.refund));
			}
		}

		void assertBound(AlgorithmUnderTest algorithm, Limit limit) {
			this.times.sort(Comparator.naturalOrder());
			if (algorithm == AlgorithmUnderTest.TOKEN_BUCKET) {
				assertBoundOfBucket(limit);
			}
			else {
				assertNoMoreInAnyPeriod(algorithm.mostInAnyPeriod(limit), limit.periodMicros());
			}
		}

		private void assertNoMoreInAnyPeriod(long most, long period) {
			for (int i = 0; i + most < this.times.size(); i++) {
				assertThat(this.times.get(i + (int) most) - this.times.get(i))
					.as("%d units from %d on", most + 1, this.times.get(i))
					.isGreaterThanOrEqualTo(period);
			}
		}

		/**
		 * In any time no more units pass than the bucket holds and what it earns
		 * meanwhile.
		 */
		private void assertBoundOfBucket(Limit limit) {
			for (int i = 0; i < this.times.size(); i++) {
				for (int j = i + (int) limit.capacity(); j < this.times.size(); j++) {
					long elapsed = this.times.get(j) - this.times.get(i);
					assertThat((j - i + 1 - limit.capacity()) * limit.periodMicros())
						.as("units from %d on", this.times.get(i))
						.isLessThanOrEqualTo(limit.max() * elapsed);
				}
			}
		}

		private record Admitted(PrefetchSimulation.Instance instance, RuleAnswer answer, boolean isPaid) {

		}

		private record Refunded(Refund refund, long time) {

		}

	}

}
