package io.github.ratelimit.store.redis;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.StoredKey;

/**
 * Ends of calls, at which units are refunded or owed and slots are freed.
 */
final class CallEnds {

	private static final Logger logger = System.getLogger(CallEnds.class.getName());

	private final Corrections corrections;

	private final Features features;

	private final BlockingWait waiting;

	private final RedisFailures failures;

	private volatile @Nullable Consumer<Demand> whenUnusedRefunded;

	CallEnds(Corrections corrections, Features features, BlockingWait waiting, RedisFailures failures) {
		this.corrections = corrections;
		this.features = features;
		this.waiting = waiting;
		this.failures = failures;
	}

	/**
	 * Refund units, and wait for the answer.
	 */
	void refund(List<Refund> refunds) {
		String rule = refunds.get(0).demand().rule().name();
		List<Refund> counted = this.features.refund(refunds);
		if (!counted.isEmpty()) {
			this.waiting.checkThread(rule);
			this.waiting.await(rule, refundCounted(counted).copy());
		}
	}

	/**
	 * Refund units. The refund goes on after a timeout.
	 */
	CompletionStage<Void> refundAsync(List<Refund> refunds) {
		List<Refund> counted = this.features.refund(refunds);
		return counted.isEmpty() ? CompletableFuture.completedFuture(null)
				: this.failures.translated(this.failures.inTime(refundCounted(counted).copy()));
	}

	private CompletableFuture<Void> refundCounted(List<Refund> refunds) {
		CompletableFuture<Void> refunded = this.corrections.refund(refunds);
		refunded.whenComplete((done, failure) -> this.features.refunded(refunds, failure));
		return refunded;
	}

	/**
	 * Refund units that Redis took for calls that were over when the reply arrived, in
	 * the background and under the version of the rule that the call used.
	 */
	void refundUnused(List<Refund> refunds) {
		refundCounted(refunds).whenComplete((done, failure) -> {
			if (failure != null) {
				logger.log(Level.DEBUG, "Units of calls that were given up could not be refunded", failure);
			}
			Consumer<Demand> action = this.whenUnusedRefunded;
			if (action != null) {
				refunds.forEach((refund) -> action.accept(refund.demand()));
			}
		});
	}

	/**
	 * Set the action that follows each {@linkplain #refundUnused refund of unused units}.
	 */
	void whenUnusedRefunded(Consumer<Demand> action) {
		this.whenUnusedRefunded = action;
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
	 * Count debts. That goes on after a timeout.
	 */
	CompletionStage<Void> oweAsync(List<Debt> debts) {
		return this.failures.translated(this.failures.inTime(this.corrections.owe(debts).copy()));
	}

	/**
	 * Forget the counts of a key, and wait for the answer.
	 */
	void reset(RuleCounts counts, StoredKey key) {
		String rule = counts.rule().name();
		this.waiting.checkThread(rule);
		if (counts.rule().ban() != null) {
			this.features.bans().remove(rule, key);
		}
		this.waiting.await(rule, this.corrections.reset(counts, key).copy());
	}

}
