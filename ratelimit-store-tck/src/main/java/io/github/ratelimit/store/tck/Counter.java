package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counter of one key under one limit of a store, at times given by the test.
 */
final class Counter {

	/**
	 * More units than any test takes one by one.
	 */
	private static final int MOST = 20_000;

	private final StoreUnderTest store;

	private final String key = AlgorithmOnStore.freshKey();

	private Limit limit;

	private long now;

	private Function<Limit, RateLimitRule> rule = AlgorithmOnStore::rule;

	private Duration maxWait = Duration.ZERO;

	Counter(StoreUnderTest store, Limit limit, long now) {
		this.store = store;
		this.limit = limit;
		this.now = now;
	}

	/**
	 * Let calls of different plans share this counter. {@link #change} changes the plan.
	 */
	Counter underPlans() {
		return by(AlgorithmOnStore::ruleWithPlans);
	}

	/**
	 * Count by such a rule of each limit from now on.
	 */
	Counter by(Function<Limit, RateLimitRule> rules) {
		this.rule = rules;
		return this;
	}

	/**
	 * Let calls wait from now on.
	 */
	Counter waiting(Duration longest) {
		this.maxWait = longest;
		return this;
	}

	Limit limit() {
		return this.limit;
	}

	long now() {
		return this.now;
	}

	Counter change(Limit changed) {
		this.limit = changed;
		return this;
	}

	Counter setClock(long micros) {
		this.now = micros;
		return this;
	}

	Counter advance(long micros) {
		this.now += micros;
		return this;
	}

	LimitOutcome acquire(long cost) {
		this.store.setClock(this.now);
		return this.store.acquire(List.of(demand(cost))).get(0);
	}

	/**
	 * Make a call that has to be admitted.
	 * @return its refund
	 */
	Correction take(long cost) {
		this.store.setClock(this.now);
		RuleAnswer answer = this.store.answer(demand(cost)).get(0);
		assertThat(answer.isAdmitted()).isTrue();
		return answer.refund();
	}

	/**
	 * Count units that were admitted elsewhere.
	 */
	Counter charge(long units) {
		return charge(units, 0);
	}

	/**
	 * Count units that were admitted elsewhere, to calls of which the last one waits.
	 */
	Counter charge(long units, long longestWait) {
		return correct(Correction.charge(RuleCounts.of(rule()), StoredKey.of(this.key), List.of(units), longestWait));
	}

	Counter correct(Correction correction) {
		this.store.setClock(this.now);
		this.store.correct(List.of(correction));
		return this;
	}

	LimitOutcome peek() {
		return acquire(0);
	}

	/**
	 * Peek at the answer to a call.
	 */
	LimitOutcome peek(long cost) {
		this.store.setClock(this.now);
		return this.store.peek(demand(cost));
	}

	private RateLimitRule rule() {
		return this.rule.apply(this.limit);
	}

	private Demand demand(long cost) {
		return new Demand(rule(), this.key, cost, this.maxWait);
	}

	/**
	 * Refund the units that were taken last.
	 */
	Counter refund(long cost) {
		return refund(cost, Correction.NEWEST);
	}

	Counter refund(long cost, long countedAt) {
		return correct(Correction.refund(demand(cost), countedAt));
	}

	/**
	 * Count units that a call owes that has not waited.
	 * @param first whether the call had taken nothing
	 */
	Counter owe(long units, long countedAt, boolean first) {
		return correct(AlgorithmOnStore.debt(demand(units), countedAt, first));
	}

	void reset() {
		this.store.setClock(this.now);
		this.store.reset(rule(), this.key);
	}

	/**
	 * Take single units until one is denied.
	 * @return the number of admitted units
	 */
	int drain() {
		for (int admitted = 0; admitted <= MOST; admitted++) {
			if (!acquire(1).admitted()) {
				return admitted;
			}
		}
		throw new AssertionError(this + " has admitted more than " + MOST + " units");
	}

	/**
	 * Check that a cost is denied, and admitted after exactly {@code retryAfter}.
	 */
	void checkRetry(long cost, String description) {
		long retryAfter = acquire(cost).retryAfter();
		assertThat(retryAfter).as(description).isPositive();
		long due = this.now + retryAfter;
		for (long early : new long[] { 1000, 1 }) {
			if (early < retryAfter) {
				assertThat(setClock(due - early).acquire(cost).retryAfter()).as(description).isEqualTo(early);
			}
		}
		assertThat(setClock(due).acquire(cost).admitted()).as(description).isTrue();
	}

	@Override
	public String toString() {
		return this.limit + " at " + this.now;
	}

}
