package io.github.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

import io.github.ratelimit.Limit;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import io.github.ratelimit.store.StoredKey;
import io.github.ratelimit.store.tck.AlgorithmOnStore;
import io.github.ratelimit.store.tck.AlgorithmUnderTest;
import io.github.ratelimit.store.tck.LocalStoreUnderTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Random calls of one key by three instances that prefetch, in simulated time, and what
 * was admitted of them.
 */
final class PrefetchCalls {

	private final Random random;

	private final PrefetchSimulation simulation;

	private final String key = AlgorithmOnStore.freshKey();

	private final List<Admitted> admitted = new ArrayList<>();

	private final List<Refunded> refunds = new ArrayList<>();

	private final List<Long> times = new ArrayList<>();

	private RuleCounts rule;

	private long paid;

	private long countedBy;

	PrefetchCalls(Random random, RuleCounts rule) {
		this.random = random;
		this.rule = rule;
		this.countedBy = rule.rule().limits().get(0).periodMicros();
		this.simulation = new PrefetchSimulation(random, 3);
	}

	/**
	 * Return the limit of the next call.
	 */
	Limit limit() {
		return this.rule.rule().limits().get(0);
	}

	/**
	 * Return the number of calls that were paid with units held.
	 */
	long paid() {
		return this.paid;
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
		long period = limit().periodMicros();
		this.simulation.advance(
				(this.random.nextInt(20) == 0) ? this.random.nextInt((int) (2 * period)) : this.random.nextInt(1_000));
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
	 * Refund one of the admitted calls, if there is any. If its units are still held, it
	 * has never been.
	 */
	void refundAny() {
		int index = this.random.nextInt(1 + this.admitted.size());
		if (index < this.admitted.size()) {
			Admitted call = this.admitted.get(index);
			boolean isPutBack = call.instance.store()
				.correct(List.of(call.answer.refund()))
				.toCompletableFuture()
				.isDone();
			boolean isHeld = call.answer.refund().countedAt() > call.instance.lastRun();
			if (isPutBack || isHeld) {
				this.admitted.remove(index);
			}
			else {
				this.refunds.add(new Refunded(call.answer.refund(), call.instance.lastRun()));
			}
		}
	}

	void killAnyInstance() {
		this.simulation.kill(this.simulation.anyInstance());
	}

	/**
	 * Change the limit of the following calls.
	 */
	void changeLimit(Limit limit) {
		this.rule = RuleVariants.of(this.rule).with(this.rule.rule().withLimits(List.of(limit)));
	}

	/**
	 * Change the plan of the following calls, if the rule has plans. If the last change
	 * was one of the period, nothing counts any more before the next.
	 */
	void changePlan() {
		if (this.rule.rule().hasPlans()) {
			Limit limit = limit();
			boolean forgets = limit.periodMicros() != this.countedBy;
			if (forgets) {
				this.simulation.advance(2 * Math.max(limit.periodMicros(), this.countedBy));
			}
			long max = 1 + this.random.nextInt(this.random.nextBoolean() ? 20 : 400);
			Limit.Builder plan = limit.toBuilder().max(max);
			if (this.random.nextBoolean()) {
				plan.period(Duration.ofMillis(40 + this.random.nextInt(400)));
			}
			changeLimit(plan.build());
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
			oracle.correct(List.of(next.refund));
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
	 * In any time no more units pass than the bucket holds and what it earns meanwhile.
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

	private record Refunded(Correction refund, long time) {

	}

}
