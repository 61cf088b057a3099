package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.tck.Walk.Step;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random sequences of calls that may wait, of refunds and of calls that give up waiting:
 * all stores return equal answers, field by field. As long as nothing is refunded, no
 * call overtakes another and no period admits more than the algorithm's bound.
 */
class WaitingWalkTests {

	private static final int STEPS = Seeds.steps(10_000);

	private static final int STEPS_PER_WALK = 60;

	@CommonWalk
	void storesAgree(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			WaitingWalk calls = new WaitingWalk(random, on, true);
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				calls.next();
				if (random.nextInt(4) == 0) {
					calls.refund();
				}
			}
		}
	}

	@CommonWalk
	void nobodyOvertakesAndNoPeriodHoldsMoreThanPromised(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / STEPS_PER_WALK; walk++) {
			WaitingWalk calls = new WaitingWalk(random, on, false);
			for (int i = 0; i < STEPS_PER_WALK; i++) {
				calls.next();
			}
			assertThat(calls.slots).as("seed " + seed + ", walk " + walk).isSorted();
			assertThat(calls.mostInAnyPeriod()).as("seed " + seed + ", walk " + walk + ": " + calls.step.limit())
				.isLessThanOrEqualTo(on.algorithm().mostInAnyPeriod(calls.step.limit()));
		}
	}

	/**
	 * One key and its admitted calls.
	 */
	private static final class WaitingWalk {

		private final String key = AlgorithmOnStore.freshKey();

		private final Random random;

		private final StoreUnderTest store;

		private final Walk walk;

		private final List<Long> slots = new ArrayList<>();

		private final List<Long> costs = new ArrayList<>();

		private Step step;

		private LimitOutcome last;

		WaitingWalk(Random random, AlgorithmOnStore on, boolean disturbed) {
			this.random = random;
			this.store = on.store();
			this.walk = new Walk(random, on.algorithm(), disturbed);
		}

		void next() {
			this.step = this.walk.next(this.last);
			long period = this.step.limit().periodMicros();
			long maxWait = this.random.nextBoolean() ? 0 : Math.floorMod(this.random.nextLong(), 3 * period);
			Demand demand = demand(this.step.cost(), Math.min(maxWait, micros(Limit.MAX_PERIOD)));
			this.store.setClock(this.step.now());
			this.last = this.store.acquire(List.of(demand)).get(0);
			if (this.step.cost() > 0 && this.last.retryAfter() >= 0
					&& this.last.retryAfter() <= demand.maxWaitMicros()) {
				this.slots.add(this.step.now() + this.last.retryAfter());
				this.costs.add(this.step.cost());
			}
		}

		/**
		 * Refund some units, or a whole admitted call.
		 */
		void refund() {
			int which = this.random.nextInt(this.slots.size() + 1);
			Correction refund = (which == this.slots.size())
					? Correction.refund(demand(1 + this.random.nextInt(5), 0), Correction.NEWEST)
					: Correction.refund(demand(this.costs.get(which), 0), this.slots.get(which));
			this.store.setClock(this.step.now());
			this.store.correct(List.of(refund));
		}

		private Demand demand(long cost, long maxWait) {
			return new Demand(AlgorithmOnStore.rule(this.step.limit()), this.key, cost,
					Duration.of(maxWait, ChronoUnit.MICROS));
		}

		long mostInAnyPeriod() {
			long most = 0;
			for (int from = 0; from < this.slots.size(); from++) {
				long units = 0;
				for (int to = from; to < this.slots.size()
						&& this.slots.get(to) - this.slots.get(from) < this.step.limit().periodMicros(); to++) {
					units += this.costs.get(to);
				}
				most = Math.max(most, units);
			}
			return most;
		}

		private static long micros(Duration duration) {
			return duration.toNanos() / 1000;
		}

	}

}
