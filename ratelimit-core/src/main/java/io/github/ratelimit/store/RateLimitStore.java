package io.github.ratelimit.store;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

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
 * A store answers for the candidates of the rules too: each of the
 * {@linkplain Demands#tried() demands to them} is decided by itself, like a further call
 * at the same time, whatever the rules decide.
 *
 * <p>
 * A store that may fail to answer is a {@link RemoteStore}. It throws
 * {@link StoreException}, or fails the stage with it. It is unknown whether the counters
 * have changed, so the call is not retried. If the reply comes later and they have, the
 * store refunds the units, because the call has been decided without it.
 *
 * <p>
 * A thread that is interrupted while it waits gets {@link RateLimitInterruptedException}
 * and stays interrupted; the units are refunded in the same way.
 *
 * @since 0.1.0
 */
public interface RateLimitStore {

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
	 * @return the answer of each rule, later; by default, that of {@link #acquire}, which
	 * does not block in this process
	 */
	default CompletionStage<StoreAnswer> acquireAsync(Demands demands) {
		return CompletableFuture.completedFuture(acquire(demands));
	}

	/**
	 * Return the answer that a call would get, blocking the caller for a bounded time. No
	 * state changes.
	 * @param demand the demand of the call
	 * @return the answer; by default, that to a call of cost 0, which only approximates
	 * it. A store that counts overrides this
	 */
	default RuleAnswer peek(Demand demand) {
		return acquire(demand.withCost(0)).get(0);
	}

	/**
	 * Return the answer that {@link #acquire} would give now, blocking the caller for a
	 * bounded time. No state changes.
	 * @param demands the demands of the call, at least one
	 * @return the answer of each rule; by default, what each of them answers to a
	 * {@link #peek}, which does not contain the units that an admitted call would take. A
	 * store that counts overrides this
	 */
	default StoreAnswer preview(Demands demands) {
		return StoreAnswer.to(demands, this::peek);
	}

	/**
	 * Correct counts without blocking the caller. Each correction is done or fails by
	 * itself. Many may be under way at once.
	 * @param corrections refunds, debts and charges, at least one
	 * @return how many units each count of each charge has counted, and any numbers for
	 * other corrections, when all are done. It fails with the first failure. It is
	 * unknown whether what failed is counted, after an
	 * {@linkplain StoreException#isOutage() outage} for example. A charge that failed is
	 * repeated, so it must not be begun later
	 */
	CompletionStage<List<long[]>> correct(List<Correction> corrections);

	/**
	 * Forget the counts of a key. Refunds and debts of calls that were decided before
	 * change nothing from then on, except refunds of slots and of the
	 * {@linkplain Correction#NEWEST newest} units, and debts of calls that had taken
	 * nothing.
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
	 * {@return the origin of the decisions that this store makes}
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
		 * @param always whether the caller also reads a decision that admits the call
		 * @return the decision; if it admits the call and nobody reads it, it may be
		 * {@code null}
		 */
		@Nullable Decision decide(String key, long cost, boolean always);

		/**
		 * Decide a call.
		 * @param key the key, of any length
		 * @param cost how many units to take, 1 or more
		 * @return the decision
		 */
		default Decision decide(String key, long cost) {
			return Objects.requireNonNull(decide(key, cost, true));
		}

		/**
		 * Return a rule that reports its denials.
		 * @param counts this rule
		 * @param denials gets the rule and the text of the stored key of each denial
		 * @return the rule; by default, one that asks this rule
		 */
		default PlainRule reportingDenials(RuleCounts counts, BiConsumer<RuleCounts, String> denials) {
			return (key, cost, always) -> {
				Decision decision = decide(key, cost, always);
				if (decision != null && !decision.allowed()) {
					denials.accept(counts, StoredKey.textOf(key));
				}
				return decision;
			};
		}

	}

}
