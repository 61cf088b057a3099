package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Waves of calls that give up, or whose units are refunded later. The calls that took
 * place and were not refunded never exceed a bound.
 */
class GivingUpTests {

	private static final int STEPS = Seeds.steps(1_500);

	private static final Duration SECOND = Duration.ofSeconds(1);

	@CommonTest
	void onlyLastTurnIsHandedOutAgain(AlgorithmOnStore on) {
		Queue queue = new Queue(on, on.algorithm().limit(1, SECOND));
		queue.enter(1);
		long first = queue.enter(1);
		long second = queue.enter(1);
		assertThat(second).isGreaterThan(first);
		queue.giveUp(first, 1);
		long third = queue.enter(1);
		assertThat(third).isGreaterThan(second);
		queue.giveUp(third, 1);
		assertThat(queue.enter(1)).isEqualTo(third);
	}

	/**
	 * It gives up in the very microsecond in which it was counted, so its turn is neither
	 * over nor to come.
	 */
	@CommonTest
	void callThatDidNotWaitLeavesTheTurnsBehindItAlone(AlgorithmOnStore on) {
		Queue queue = new Queue(on, on.algorithm().limit(2, SECOND));
		long first = queue.enter(2);
		long second = queue.enter(1);
		queue.giveUp(first, 2);
		assertThat(queue.enter(1)).isGreaterThanOrEqualTo(second);
	}

	@CommonTest
	void wavesOfCallersThatHangUpShareNoTurn(AlgorithmOnStore on) {
		Queue queue = new Queue(on, on.algorithm().limit(1, SECOND));
		long kept = queue.enter(1);
		for (int wave = 0; wave < 10; wave++) {
			long hangsUp = queue.enter(1);
			long next = queue.enter(1);
			assertThat(hangsUp).isGreaterThan(kept);
			assertThat(next).isGreaterThan(hangsUp);
			queue.giveUp(hangsUp, 1);
			kept = next;
		}
	}

	/**
	 * Even after the limit is raised, the old limit does not correct the state.
	 */
	@CommonTest
	void turnThatPassesUnusedChangesNothing(AlgorithmOnStore on) {
		Duration period = Duration.ofSeconds(10);
		String key = AlgorithmOnStore.freshKey();
		Queue queue = new Queue(on, on.algorithm().limit(2, period), key);
		queue.enter(2);
		long middle = queue.enter(1);
		Queue raised = new Queue(on, on.algorithm().limit(100, period), key);
		raised.enter(90);
		assertThat(raised.enter(20)).isGreaterThan(middle);
		LimitOutcome before = raised.peek();
		queue.giveUp(middle, 1);
		assertThat(raised.peek()).isEqualTo(before);
	}

	/**
	 * A refund of any number of units takes none from calls that still wait.
	 */
	@CommonTest
	void refundOfMoreThanHasProceededLetsNoCallOvertake(AlgorithmOnStore on) {
		for (boolean interval : new boolean[] { false, true }) {
			Limit limit = on.algorithm().limit(interval ? 4 : 1, SECOND);
			Queue queue = new Queue(on, interval ? limit.withMinInterval(Duration.ofMillis(10)) : limit);
			for (int i = 0; i < 4; i++) {
				queue.calls.add(new Call(queue.enter(1), 1));
			}
			for (int i = 0; i < 3; i++) {
				queue.now += 3_000;
				queue.calls.removeIf((call) -> call.slot <= queue.now);
				queue.refund(5);
				long slot = queue.enter(1);
				assertThat(slot).isPositive();
				queue.calls.add(new Call(slot, 1));
				queue.check("refund " + i);
			}
		}
	}

	@CommonWalk
	void noBoundIsExceededAfterRefunds(AlgorithmOnStore on, long seed) {
		walks(on, seed, Queue::refundingStep);
	}

	private static void walks(AlgorithmOnStore on, long seed, BiConsumer<Queue, Random> step) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / 50; walk++) {
			Limit limit = on.algorithm().limit(1 + random.nextInt(6), Duration.ofMillis(50 + random.nextInt(1_000)));
			boolean alone = random.nextBoolean();
			Limit counted = alone ? limit : limit.withMinInterval(Duration.ofMillis(1 + random.nextInt(200)));
			Queue queue = new Queue(on, counted);
			for (int i = 0; i < 50; i++) {
				step.accept(queue, random);
				queue.check("seed %d, walk %d: %s, step %d".formatted(seed, walk, counted, i));
			}
		}
	}

	/**
	 * The turn of a call with another period is after the units of earlier calls have
	 * expired. They still count if the call gives up.
	 */
	@UnitByUnitTest
	void callThatGivesUpUnderALongerPeriodReleasesNothing(AlgorithmOnStore on) {
		String key = AlgorithmOnStore.freshKey();
		Queue shorter = new Queue(on, on.algorithm().limit(10, SECOND), key);
		shorter.now -= shorter.now % SECOND.toNanos();
		long end = shorter.now;
		for (int i = 0; i < 10; i++) {
			end = Math.max(end, shorter.enter(1));
		}
		Queue longer = new Queue(on, on.algorithm().limit(10, SECOND.multipliedBy(4)), key);
		longer.now = end + 1_000;
		longer.giveUp(longer.enter(10), 10);
		shorter.now = longer.now + 1_000;
		assertThat(shorter.enter(10)).isGreaterThanOrEqualTo(shorter.now + 500_000);
	}

	/**
	 * Versions of one rule with several periods, whose calls wait and give up.
	 */
	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource("io.github.ratelimit.store.tck.AlgorithmOnStore#admittingUnitByUnitInStep")
	void noBoundIsExceededWhenCallsOfVersionsGiveUp(AlgorithmOnStore on, long seed) {
		Random random = new Random(seed);
		for (int walk = 0; walk < STEPS / 25; walk++) {
			long max = 1 + random.nextInt(6);
			String key = AlgorithmOnStore.freshKey();
			Queue shorter = new Queue(on, on.algorithm().limit(max, Duration.ofMillis(50 + random.nextInt(500))), key);
			Queue longer = new Queue(on, on.algorithm()
				.limit(max, shorter.limit.period().multipliedBy(2 + random.nextInt(4)).plusMillis(random.nextInt(50))),
					key);
			for (int i = 0; i < 60; i++) {
				Queue queue = random.nextBoolean() ? shorter : longer;
				queue.now = Math.max(shorter.now, longer.now);
				queue.step(random);
				shorter.checkWith(longer, "seed %d, walk %d, step %d".formatted(seed, walk, i));
			}
		}
	}

	@CommonTest
	void intervalHoldsWhenCallsGiveUp(AlgorithmOnStore on) {
		Queue queue = new Queue(on, on.algorithm().limit(100, SECOND).withMinInterval(Duration.ofMillis(200)));
		queue.enter(1);
		long first = queue.enter(1);
		long second = queue.enter(1);
		queue.giveUp(first, 1);
		long third = queue.enter(1);
		assertThat(third - second).isGreaterThanOrEqualTo(200_000);
		queue.giveUp(third, 1);
		assertThat(queue.enter(1)).isEqualTo(third);
	}

	@CommonWalk
	void noBoundIsExceededWhenCallsGiveUp(AlgorithmOnStore on, long seed) {
		walks(on, seed, Queue::step);
	}

	/**
	 * One key of one rule, and the calls that hold a turn or had one.
	 */
	private static final class Queue {

		private final AlgorithmOnStore on;

		private final Limit limit;

		private final RateLimitRule rule;

		private final String key;

		private final List<Call> calls = new ArrayList<>();

		private final Map<Long, Long> decidedAt = new HashMap<>();

		private long now = AlgorithmOnStore.NOW;

		Queue(AlgorithmOnStore on, Limit limit) {
			this(on, limit, AlgorithmOnStore.freshKey());
		}

		Queue(AlgorithmOnStore on, Limit limit, String key) {
			this.on = on;
			this.limit = limit;
			this.rule = AlgorithmOnStore.rule(limit);
			this.key = key;
		}

		/**
		 * Enter the queue.
		 * @return the time of the turn, or -1 if the call is denied
		 */
		long enter(long cost) {
			this.on.store().setClock(this.now);
			Demand demand = new Demand(this.rule, this.key, cost, this.limit.period().plusSeconds(1).multipliedBy(60));
			long wait = this.on.store().acquire(List.of(demand)).get(0).retryAfter();
			this.decidedAt.put(this.now + wait, this.now);
			return (wait < 0 || wait > demand.maxWaitMicros()) ? -1 : this.now + wait;
		}

		void giveUp(long slot, long cost) {
			this.on.store().setClock(this.now);
			Demand demand = new Demand(this.rule, this.key, cost);
			this.on.store().correct(List.of(Correction.refund(demand, slot, this.decidedAt.getOrDefault(slot, slot))));
		}

		/**
		 * Refund the newest units, none of calls that still wait.
		 */
		void refund(long cost) {
			giveUp(Correction.NEWEST, cost);
		}

		LimitOutcome peek() {
			this.on.store().setClock(this.now);
			return this.on.store().acquire(List.of(new Demand(this.rule, this.key, 0))).get(0);
		}

		/**
		 * Refund all calls that have proceeded, so that only waiting calls are checked.
		 */
		void refundingStep(Random random) {
			this.now += random.nextInt(3) * (long) (random.nextDouble() * this.limit.periodMicros());
			if (random.nextInt(3) == 0) {
				this.calls.removeIf((call) -> call.slot <= this.now);
				refund(1 + random.nextInt(3 * (int) this.limit.capacity()));
			}
			enter(random);
		}

		void step(Random random) {
			this.now += random.nextInt(3) * (long) (random.nextDouble() * this.limit.periodMicros());
			if (!this.calls.isEmpty() && random.nextInt(3) == 0) {
				int last = this.calls.size() - 1;
				Call call = this.calls.remove(random.nextBoolean() ? last : random.nextInt(last + 1));
				giveUp(call.slot, call.cost);
			}
			enter(random);
		}

		private void enter(Random random) {
			long cost = 1 + random.nextInt((int) this.limit.capacity());
			long slot = (this.calls.stream().filter((call) -> call.slot > this.now).count() < 8) ? enter(cost) : -1;
			if (slot >= 0) {
				this.calls.add(new Call(slot, cost));
			}
		}

		/**
		 * Check the calls of a longer period, too, by the bound of this one. Windows
		 * whose edges differ may end one after the other.
		 */
		private void checkWith(Queue longer, String description) {
			List<Call> kept = Stream.concat(this.calls.stream(), longer.calls.stream())
				.sorted(Comparator.comparingLong(Call::slot))
				.toList();
			long most = this.on.algorithm().mostInAnyPeriod(this.limit) + switch (this.on.algorithm()) {
				case FIXED_WINDOW, CALENDAR_WINDOW, WEIGHTED_WINDOW -> this.limit.max();
				default -> 0;
			};
			for (int from = 0; from < kept.size(); from++) {
				long units = 0;
				for (int to = from; to < kept.size()
						&& kept.get(to).slot - kept.get(from).slot < this.limit.periodMicros(); to++) {
					units += kept.get(to).cost;
				}
				assertThat(units).as(() -> description + ": " + this.limit + ", " + longer.limit + ": " + kept)
					.isLessThanOrEqualTo(most);
			}
		}

		private void check(String description) {
			List<Call> kept = this.calls.stream().sorted(Comparator.comparingLong(Call::slot)).toList();
			long period = this.limit.periodMicros();
			for (int from = 0; from < kept.size(); from++) {
				long units = 0;
				for (int to = from; to < kept.size(); to++) {
					long elapsed = kept.get(to).slot - kept.get(from).slot;
					units += kept.get(to).cost;
					if (elapsed < period && this.on.algorithm().admitsUnitByUnit()) {
						assertThat(units).as(description)
							.isLessThanOrEqualTo(this.on.algorithm().mostInAnyPeriod(this.limit));
					}
					if (this.on.algorithm().isBucket()) {
						assertThat(units).as(description)
							.isLessThanOrEqualTo(this.limit.capacity() + this.limit.rate().unitsIn(elapsed));
					}
					if (this.limit.interval() != null && to == from + 1) {
						assertThat(elapsed).as(description)
							.isGreaterThanOrEqualTo(this.limit.interval().periodMicros());
					}
				}
			}
		}

	}

	private record Call(long slot, long cost) {

	}

}
