package io.github.ratelimit.store.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

/**
 * Ends of calls, at which units are refunded or owed and slots are freed.
 */
final class CallEnds {

	private final Corrections corrections;

	private final HeldSlots slots;

	private final Stocks stocks;

	private final BlockingWait waiting;

	private final RedisFailures failures;

	CallEnds(Corrections corrections, HeldSlots slots, Stocks stocks, BlockingWait waiting, RedisFailures failures) {
		this.corrections = corrections;
		this.slots = slots;
		this.stocks = stocks;
		this.waiting = waiting;
		this.failures = failures;
	}

	/**
	 * Refund units, and wait for the answer.
	 */
	void refund(List<Refund> refunds) {
		String rule = refunds.get(0).demand().rule().name();
		refunds.forEach((refund) -> this.slots.ended(refund.demand()));
		List<Refund> counted = this.stocks.refundToStocks(refunds);
		if (!counted.isEmpty()) {
			this.waiting.checkThread(rule);
			this.waiting.await(rule, refunded(counted).copy());
		}
	}

	/**
	 * Refund units. The refund goes on after a timeout.
	 */
	CompletionStage<Void> refundAsync(List<Refund> refunds) {
		refunds.forEach((refund) -> this.slots.ended(refund.demand()));
		List<Refund> counted = this.stocks.refundToStocks(refunds);
		return counted.isEmpty() ? CompletableFuture.completedFuture(null)
				: this.failures.translated(this.failures.inTime(refunded(counted).copy()));
	}

	/**
	 * Refund units that Redis has counted.
	 */
	private CompletableFuture<Void> refunded(List<Refund> refunds) {
		CompletableFuture<Void> refunded = this.corrections.refund(refunds);
		refunded.whenComplete((done, failure) -> refunds.forEach((refund) -> {
			if (failure == null) {
				this.slots.freed(refund.demand());
			}
			else {
				this.slots.refundFailed(refund.demand());
			}
		}));
		return refunded;
	}

	/**
	 * Count debts, and wait for the answer.
	 */
	void owe(List<Debt> debts) {
		String rule = debts.get(0).demand().rule().name();
		this.waiting.checkThread(rule);
		this.waiting.await(rule, this.corrections.owe(debts).copy());
	}

	/**
	 * Forget the counts of a key, and wait for the answer.
	 */
	void reset(RuleCounts counts, StoredKey key) {
		String rule = counts.rule().name();
		this.waiting.checkThread(rule);
		this.waiting.await(rule, this.corrections.reset(counts, key).copy());
	}

	/**
	 * Count debts. That goes on after a timeout.
	 */
	CompletionStage<Void> oweAsync(List<Debt> debts) {
		return this.failures.translated(this.failures.inTime(this.corrections.owe(debts).copy()));
	}

}
