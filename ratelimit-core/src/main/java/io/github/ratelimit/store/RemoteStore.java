package io.github.ratelimit.store;

import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitListener;
import io.github.ratelimit.RateLimitRule;

/**
 * Store outside this process, which may fail to answer. The engine stops calling a part
 * of it that fails, probes that until it answers, and follows the failure policies of the
 * rules meanwhile.
 *
 * @since 0.1.0
 */
public interface RemoteStore extends RateLimitStore {

	/**
	 * Refuse a rule that cannot be counted as it is written, before its first call.
	 * @param rule the rule
	 * @throws RateLimitConfigurationException if it is refused; by default, none is
	 */
	default void validate(RateLimitRule rule) {
	}

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
	 * Set who hears of what this store does for none of its callers.
	 * @param events gets these events
	 */
	default void follow(Events events) {
	}

	/**
	 * Hold what a call {@linkplain Demand#needsEnd() holds until it ends}, and that runs
	 * although this store has not admitted it. It is taken when the store answers, if it
	 * is free.
	 * @param demand the demand of the call
	 */
	default void hold(Demand demand) {
	}

	/**
	 * Free what a call has held that has ended, as soon as this store answers again. It
	 * does not answer now.
	 * @param demand the demand of the call
	 */
	default void free(Demand demand) {
	}

	/**
	 * Return the summaries of top talkers that instances share.
	 * @return creates their store, {@code null} by default: each instance knows its own
	 * calls only
	 */
	default @Nullable Supplier<SummaryStore> summaries() {
		return null;
	}

	/**
	 * What a store does for none of its callers. By default, nothing follows.
	 */
	interface Events {

		/**
		 * The store has made a call by itself, to read changes for example, so that a
		 * failure is noticed while there are few other calls.
		 * @param domain the failure domain of the call
		 * @param failure its failure, {@code null} if it was answered
		 */
		default void calledItself(Object domain, @Nullable StoreException failure) {
		}

		/**
		 * The store has made a refund by itself: that of a call which was answered after
		 * its caller had stopped waiting.
		 * @param demand a demand of such a call
		 */
		default void refunded(Demand demand) {
		}

		/**
		 * Return the listener to what happens to calls that run.
		 * @return by default, one that ignores it
		 */
		default RateLimitListener listener() {
			return new RateLimitListener() {
			};
		}

	}

}
