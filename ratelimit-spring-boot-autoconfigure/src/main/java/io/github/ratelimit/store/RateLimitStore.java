package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitInterruptedException;

/**
 * Where counters live. One question per call, however many rules and limits it has: if
 * all of them admit it, now or after a wait that it accepts, all are counted, else none
 * changes. The limits of a rule count a call as of the time at which the slowest of them
 * lets it pass.
 *
 * <p>
 * A store that cannot answer throws {@link StoreException}, or fails the stage with it;
 * the counters may then have changed or not, so the question is not repeated. If the
 * store finds out later that they have, it gives back what was taken: somebody else has
 * decided the call.
 *
 * <p>
 * A thread that is interrupted while it waits gets {@link RateLimitInterruptedException}
 * and stays interrupted; the units come back in the same way.
 *
 * @since 0.1.0
 */
public interface RateLimitStore {

	/**
	 * Get ready, so that the first call need not wait for it. Blocks for a bounded time.
	 */
	default void connect() {
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
	 * Look what a call would be told, blocking the caller for a bounded time. Nothing is
	 * counted, and nothing else changes either.
	 * @param demand what the call would ask of one rule
	 * @return what each limit would say; a store that cannot tell this says what it says
	 * to a call that takes nothing
	 */
	default RuleAnswer look(Demand demand) {
		return acquire(demand.withCost(0)).get(0);
	}

	/**
	 * Take back units that were counted, as many as still count. Each refund is done or
	 * fails by itself; the first failure is thrown when all of them are done.
	 * @param refunds the units, at least one
	 */
	void giveBack(List<Refund> refunds);

	/**
	 * Take back units without blocking the caller. Each refund is done or fails by
	 * itself.
	 * @param refunds the units, at least one
	 * @return when it is done; fails with the first failure
	 */
	CompletionStage<Void> giveBackAsync(List<Refund> refunds);

	/**
	 * Have somebody told when the store gives back units by itself: those of a call whose
	 * answer came when the caller had waited for long enough.
	 * @param action gets what the call asked of a rule
	 */
	default void whenGivenBack(Consumer<Demand> action) {
	}

	/**
	 * Forget what was counted.
	 * @param counts the rule
	 * @param key who or what was counted
	 */
	void reset(RuleCounts counts, StoredKey key);

	/**
	 * Count units that were admitted elsewhere, as if they were taken now, or when the
	 * last call goes on that waits here or there: of each as many as still fit. Each
	 * charge is done or fails by itself.
	 * @param charges the units, of different keys
	 * @return when it is done; fails with a {@link ChargeException} that lists the
	 * charges that failed. After any other failure none of them is known to be counted
	 */
	CompletionStage<Void> charge(List<Charge> charges);

	/**
	 * Which part of the store counts something. One part may fail while others do not.
	 * @param demand what is counted
	 * @return what is the same for all that fails together
	 */
	default Object partOf(Demand demand) {
		return "store";
	}

	/**
	 * See whether the store can count again, after it could not. Must do what counting
	 * does, that is write, and may reconnect.
	 * @param demand what was to be counted; its counts stay as they are
	 * @return when the store has answered; fails if it has not
	 */
	default CompletionStage<Void> probe(Demand demand) {
		return acquireAsync(demand.withCost(0)).thenAccept((answer) -> {
		});
	}

	/**
	 * Fail the calls to a part of the store that were not answered yet, since no answer
	 * is to be expected.
	 * @param part what was asked, see {@link #partOf}
	 * @param failure what they fail with
	 */
	default void giveUp(Object part, StoreException failure) {
	}

	/**
	 * What decisions of this store say about who made them.
	 * @return the origin
	 */
	Decision.Origin origin();

}
