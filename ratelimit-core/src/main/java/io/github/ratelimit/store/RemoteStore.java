package io.github.ratelimit.store;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * Store outside this process, which may fail to answer. The engine stops calling a part
 * of it that fails, probes that until it answers, and follows the failure policies of the
 * rules meanwhile.
 *
 * @since 0.1.0
 */
public interface RemoteStore extends RateLimitStore {

	/**
	 * Connect before the first call. Blocks for a bounded time.
	 */
	default void connect() {
	}

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
	 * Refuse a thread that must not wait for an answer, before a call that blocks.
	 * @param rule the rule of the call
	 * @throws IllegalStateException unless {@link #mayBlock()}
	 */
	default void checkThread(String rule) {
	}

	/**
	 * Return whether the current thread may wait for an answer. A thread that has to read
	 * the answer itself must not.
	 * @return whether the methods that block can be called
	 */
	default boolean mayBlock() {
		return true;
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
	 * Share a summary of this instance, instead of its earlier one, without blocking the
	 * caller. It is of no interest to decisions: a failure is no failure of the store.
	 * @param rule the name of the rule that it is about
	 * @param content the summary
	 * @return completes when it is stored; by default, nothing is
	 */
	default CompletionStage<?> shareSummary(String rule, byte[] content) {
		return CompletableFuture.completedFuture(null);
	}

	/**
	 * Return the summaries that other instances have shared in the last ten minutes,
	 * blocking the caller for a bounded time.
	 * @param rule the name of the rule
	 * @return a summary per instance, in any order; by default none
	 * @throws StoreException if the store does not answer
	 */
	default List<SharedSummary> summariesOfOthers(String rule) {
		return List.of();
	}

	/**
	 * Summary that another instance has shared.
	 *
	 * @param age how long ago it was shared, in microseconds
	 * @param content the summary
	 */
	record SharedSummary(long age, byte[] content) {

	}

}
