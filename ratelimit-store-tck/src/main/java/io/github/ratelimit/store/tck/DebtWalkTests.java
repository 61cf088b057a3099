package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;

/**
 * Random sequences of calls that may wait, of which some owe units, some are refunded in
 * part and some give up: all stores return equal answers, field by field.
 */
class DebtWalkTests {

	private static final int STEPS = Seeds.steps(10_000);

	private static final int STEPS_PER_WALK = 60;

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("inStep")
	void storesAgree(AlgorithmOnStore on, long seed) {
		walk(on, seed, AlgorithmOnStore::rule);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("inStep")
	void storesAgreeUnderPlans(AlgorithmOnStore on, long seed) {
		walkUnderPlans(on, seed, AlgorithmOnStore::ruleWithPlans);
	}

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("inStep")
	void storesAgreeWhereCallsMayBeSettled(AlgorithmOnStore on, long seed) {
		walk(on, seed, AlgorithmOnStore::settledRule);
		walkUnderPlans(on, seed, (limit) -> AlgorithmOnStore.ruleWithPlans(limit).withSettling(true, null));
	}

	/**
	 * Of instances with different versions of a rule, only some may settle calls.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("inStep")
	void storesAgreeWhereSomeVersionsMaySettleCalls(AlgorithmOnStore on, long seed) {
		Random version = new Random(seed);
		Function<Limit, RateLimitRule> rule = (limit) -> AlgorithmOnStore.rule(limit)
			.withSettling(version.nextBoolean(), null);
		walk(on, seed, rule);
		walkUnderPlans(on, seed, rule);
	}

	private static void walk(AlgorithmOnStore on, long seed, Function<Limit, RateLimitRule> rule) {
		walk(on, seed, rule, (random, disturbed) -> new Walk(random, on.algorithm(), disturbed)::next);
	}

	private static void walkUnderPlans(AlgorithmOnStore on, long seed, Function<Limit, RateLimitRule> rule) {
		walk(on, seed, rule, (random, disturbed) -> new PlanWalk(random, on.algorithm(), disturbed)::next);
	}

	static Stream<Arguments> inStep() {
		return AlgorithmOnStore.inStep()
			.filter((arguments) -> ((AlgorithmOnStore) arguments.get()[0]).algorithm().algorithm().hasDebt());
	}

	private static void walk(AlgorithmOnStore on, long seed, Function<Limit, RateLimitRule> rule,
			BiFunction<Random, Boolean, Function<LimitOutcome, Step>> begun) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			Function<LimitOutcome, Step> steps = begun.apply(random, walk % 2 == 0);
			Calls calls = new Calls(random, on.store(), rule);
			LimitOutcome last = null;
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				Step step = steps.apply(last);
				last = calls.acquire(step);
				switch (random.nextInt(8)) {
					case 0, 1 -> calls.owe();
					case 2 -> calls.refund();
					case 3 -> calls.peek(step);
					default -> {
					}
				}
			}
		}
	}

	/**
	 * Calls of one key.
	 */
	private static final class Calls {

		private final String key = AlgorithmOnStore.freshKey();

		private final List<Correction> taken = new ArrayList<>();

		private final Random random;

		private final StoreUnderTest store;

		private final Function<Limit, RateLimitRule> rule;

		Calls(Random random, StoreUnderTest store, Function<Limit, RateLimitRule> rule) {
			this.random = random;
			this.store = store;
			this.rule = rule;
		}

		LimitOutcome acquire(Step step) {
			long period = step.limit().periodMicros();
			long maxWait = (this.random.nextInt(3) > 0) ? 0 : Math.floorMod(this.random.nextLong(), 3 * period);
			Demand demand = demand(step, Math.min(maxWait, Limit.MAX_PERIOD.toNanos() / 1000));
			this.store.setClock(step.now());
			LimitOutcome outcome = this.store.acquire(List.of(demand)).get(0);
			if (demand.accepts(outcome.retryAfter())) {
				this.taken.add(Correction.refund(demand, step.now() + outcome.retryAfter()));
			}
			return outcome;
		}

		void peek(Step step) {
			this.store.peek(demand(step, 0));
		}

		void owe() {
			if (!this.taken.isEmpty()) {
				Correction call = any();
				this.store.correct(List.of(AlgorithmOnStore.debt(call.demand().withCost(units(call.demand())),
						call.countedAt(), call.demand().cost() == 0)));
			}
		}

		private long units(Demand call) {
			long capacity = call.rule().limits().get(0).capacity();
			return switch (this.random.nextInt(10)) {
				case 0 -> Long.MAX_VALUE - this.random.nextInt(2);
				case 1 -> (1L << 30) - 2 + this.random.nextInt(3);
				case 2, 3 -> 1 + capacity / 10;
				case 4 -> 10 * capacity;
				default -> 1 + this.random.nextInt(10);
			};
		}

		void refund() {
			if (!this.taken.isEmpty()) {
				Correction call = any();
				long units = 1 + Math.floorMod(this.random.nextLong(), Math.max(1, call.demand().cost()));
				this.store.correct(List.of(Correction.refund(call.demand().withCost(units), call.countedAt())));
			}
		}

		private Correction any() {
			int newest = this.taken.size() - 1;
			return this.taken.remove(this.random.nextBoolean() ? newest : this.random.nextInt(this.taken.size()));
		}

		private Demand demand(Step step, long maxWait) {
			return new Demand(this.rule.apply(step.limit()), this.key, step.cost(),
					Duration.of(maxWait, ChronoUnit.MICROS));
		}

	}

}
