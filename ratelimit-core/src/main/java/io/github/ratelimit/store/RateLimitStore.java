package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;
import org.jspecify.annotations.Nullable;

/**
 * Store of the counters. All rules and limits of a call are decided together: if all of
 * them admit it, now or after a wait that it accepts, all count it, otherwise none
 * changes. The limits of a rule count a call as of the time at which the slowest of them
 * admits it. Another rule counts it as of its own time: otherwise the queue of one user
 * would block a rule that all users share.
 *
 * <p>
 * A store that cannot answer throws {@link StoreException}, or fails the stage with it.
 * It is unknown whether the counters have changed, so the call is not retried. If the
 * reply comes later and they have, the store refunds the units, because the call has been
 * decided without it.
 *
 * <p>
 * A thread that is interrupted while it waits gets {@link RateLimitInterruptedException}
 * and stays interrupted; the units are refunded in the same way.
 *
 * @since 0.1.0
 */
public interface RateLimitStore {

	/**
	 * Connect before the first call. Blocks for a bounded time.
	 */
	default void connect() {
	}

	/**
	 * Return a rule whose calls this store can decide by their key and cost alone.
	 * @param counts the rule
	 * @return the rule, or {@code null} if its calls have to be demanded, as by default
	 */
	default @Nullable PlainRule plain(RuleCounts counts) {
		return null;
	}

	/**
	 * Decide a call, blocking the caller for a bounded time.
	 * @param demands the demands of the call, at least one
	 * @return the answer of each rule
	 */
	StoreAnswer acquire(Demands demands);

	/**
	 * Decide a call without blocking the caller.
	 * @param demands the demands of the call, at least one
	 * @return the answer of each rule, later
	 */
	CompletionStage<StoreAnswer> acquireAsync(Demands demands);

	/**
	 * Return the answer that a call would get, blocking the caller for a bounded time. No
	 * state changes.
	 * @param demand the demand of the call
	 * @return the answer; by default, that to a call of cost 0
	 */
	default RuleAnswer peek(Demand demand) {
		return acquire(demand.withCost(0)).get(0);
	}

	/**
	 * Refund units, as many as still count. The slots of a rule that has some become free
	 * as well, regardless of the units. Each refund is done or fails by itself; the first
	 * failure is thrown when all of them are done.
	 * @param refunds the units, at least one
	 */
	void refund(List<Refund> refunds);

	/**
	 * Refund units without blocking the caller. Each refund is done or fails by itself.
	 * @param refunds the units, at least one
	 * @return a stage that completes when all are done, or fails with the first failure
	 */
	CompletionStage<Void> refundAsync(List<Refund> refunds);

	/**
	 * Count units that calls have used beyond those that they took, regardless of the
	 * limit, as of the time at which each call was counted. Each debt is counted or fails
	 * by itself; the first failure is thrown when all of them are done.
	 * @param debts the units, at least one
	 */
	void owe(List<Debt> debts);

	/**
	 * Count units that calls have used beyond those that they took, without blocking the
	 * caller. Each debt is counted or fails by itself.
	 * @param debts the units, at least one
	 * @return a stage that completes when all are done, or fails with the first failure
	 */
	CompletionStage<Void> oweAsync(List<Debt> debts);

	/**
	 * Return whether the current thread may wait for an answer. A thread that has to read
	 * the answer itself must not.
	 * @return whether the methods that block can be called
	 */
	default boolean mayBlock() {
		return true;
	}

	/**
	 * Set an action that follows the refunds which the store makes by itself: those of
	 * calls that were answered after their callers had stopped waiting.
	 * @param action gets each demand of such a call
	 */
	default void whenRefunded(Consumer<Demand> action) {
	}

	/**
	 * Hold the slots of a call that runs although this store has not admitted it. They
	 * are taken when the store answers, if slots are free.
	 * @param demand the demand of the call
	 */
	default void holdSlots(Demand demand) {
	}

	/**
	 * Free the slots of an ended call as soon as the store answers again. It does not
	 * answer now.
	 * @param demand the demand of the call
	 */
	default void freeSlots(Demand demand) {
	}

	/**
	 * Set an action that follows the loss of slots whose calls run on: the store had
	 * forgotten them, and others have taken them.
	 * @param action gets the demand of each call that has lost its slots
	 */
	default void whenSlotsLost(Consumer<Demand> action) {
	}

	/**
	 * Forget the counts of a key. Refunds and debts of calls that were decided before
	 * change nothing from then on, except refunds of slots and of the
	 * {@linkplain Refund#NEWEST newest} units, and debts of calls that had taken nothing.
	 * @param counts the rule
	 * @param key the key
	 */
	void reset(RuleCounts counts, StoredKey key);

	/**
	 * List the banned keys of a rule, those whose bans end first at the beginning. Of
	 * more than {@link BannedKey#MOST}, the ones that end last are listed.
	 * @param counts the rule
	 * @return the keys; by default none
	 */
	default List<BannedKey> bans(RuleCounts counts) {
		return List.of();
	}

	/**
	 * Count units that were admitted elsewhere, as many as still fit. They count as of
	 * now or, while calls wait here or there, as of the end of the longest wait. Many
	 * charges may be under way at once.
	 * @param charge the units of a key
	 * @return how many each count has counted, later. It fails if they are not known to
	 * be counted; after an {@linkplain StoreException#isOutage() outage} they may be
	 */
	CompletionStage<long[]> charge(Charge charge);

	/**
	 * Return the failure domain of a demand: the part of the store that counts it and may
	 * fail alone.
	 * @param demand the demand
	 * @return an object that is equal for demands of the same failure domain
	 */
	default Object failureDomain(Demand demand) {
		return "store";
	}

	/**
	 * Set an action that follows the calls which the store makes for none of its callers,
	 * to read changes for example, so that a failure is noticed while there are few other
	 * calls.
	 * @param action gets the failure domain of each such call, and its failure, or
	 * {@code null} if it was answered
	 */
	default void whenCalledItself(BiConsumer<Object, @Nullable StoreException> action) {
	}

	/**
	 * Probe whether the store can count again after a failure. A probe must write, as
	 * counting does, and may reconnect.
	 * @param demand a demand of the failure domain; its counts stay as they are
	 * @return a stage that completes when the store has answered, and fails if it has not
	 */
	default CompletionStage<Void> probe(Demand demand) {
		return acquireAsync(demand.withCost(0)).thenAccept((answer) -> {
		});
	}

	/**
	 * Fail the pending calls of a failure domain, since no reply is expected.
	 * @param domain the failure domain, see {@link #failureDomain}
	 * @param failure the failure of the calls
	 */
	default void failPending(Object domain, StoreException failure) {
	}

	/**
	 * Return whether this store always answers, because it counts in this process. Its
	 * decisions then need neither a circuit nor a fallback.
	 * @return {@code false} by default: calls may fail with a {@link StoreException}
	 */
	default boolean alwaysAnswers() {
		return false;
	}

	/**
	 * Return the origin of the decisions that this store makes.
	 * @return the origin
	 */
	Decision.Origin origin();

	/**
	 * Rule whose calls are decided by their key and cost alone and for good: none of them
	 * waits for its turn, and none is refunded or ends.
	 */
	@FunctionalInterface
	interface PlainRule {

		/**
		 * Decide a call.
		 * @param key the key, of any length
		 * @param cost how many units to take, 1 or more
		 * @return the decision
		 */
		Decision decide(String key, long cost);

	}

}
