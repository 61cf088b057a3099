package io.github.ratelimit.engine;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.store.Debt;
import io.github.ratelimit.store.Refund;
import io.github.ratelimit.store.StoreException;

/**
 * Place where calls are counted, to which they refund units and owe them.
 */
interface RefundTarget {

	/**
	 * Return whether the current thread may wait for the place.
	 */
	default boolean mayBlock() {
		return true;
	}

	/**
	 * Refund units, as many as still count.
	 * @throws StoreException if they could not be refunded
	 */
	void refund(List<Refund> refunds);

	/**
	 * Refund units without blocking the caller.
	 * @return a stage that fails if they could not be refunded
	 */
	default CompletionStage<Void> refundAsync(List<Refund> refunds) {
		refund(refunds);
		return CompletableFuture.completedStage(null);
	}

	/**
	 * Count units that calls have used beyond those that they took.
	 * @throws StoreException if they could not be counted
	 */
	void owe(List<Debt> debts);

	/**
	 * Count units that calls have used beyond those that they took, without blocking the
	 * caller.
	 * @return a stage that fails if they could not be counted
	 */
	default CompletionStage<Void> oweAsync(List<Debt> debts) {
		owe(debts);
		return CompletableFuture.completedStage(null);
	}

}
