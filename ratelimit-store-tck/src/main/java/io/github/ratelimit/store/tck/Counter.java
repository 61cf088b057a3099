package io.github.ratelimit.store.tck;

import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

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

	private boolean hasPlans;

	Counter(StoreUnderTest store, Limit limit, long now) {
		this.store = store;
		this.limit = limit;
		this.now = now;
	}

	/**
	 * Let calls of different plans share this counter. {@link #change} changes the plan.
	 */
	Counter underPlans() {
		this.hasPlans = true;
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
		return this.store.acquire(List.of(new Demand(rule(), this.key, cost))).get(0);
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
		this.store.setClock(this.now);
		this.store.correct(
				List.of(Correction.charge(RuleCounts.of(rule()), StoredKey.of(this.key), List.of(units), longestWait)));
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
		return this.store.peek(new Demand(rule(), this.key, cost));
	}

	private RateLimitRule rule() {
		return this.hasPlans ? AlgorithmOnStore.ruleWithPlans(this.limit) : AlgorithmOnStore.rule(this.limit);
	}

	/**
	 * Refund the units that were taken last.
	 */
	Counter refund(long cost) {
		this.store.setClock(this.now);
		this.store.correct(List.of(Correction.refund(new Demand(rule(), this.key, cost), Correction.NEWEST)));
		return this;
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

	@Override
	public String toString() {
		return this.limit + " at " + this.now;
	}

}
