package io.github.ratelimit.store;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

/**
 * Fallback that counts in this process while the store cannot answer. Its counts are
 * charged to the store as soon as that answers again; until a charge has succeeded, the
 * fallback keeps deciding by them. Its methods never block.
 *
 * @since 0.1.0
 */
public interface FallbackStore {

	/**
	 * Refuse a rule that cannot be counted here.
	 * @throws RateLimitConfigurationException if it cannot
	 */
	default void validate(RateLimitRule rule) {
	}

	/**
	 * Decide a call.
	 * @param demands the demands of the call, at least one
	 */
	StoreAnswer acquire(Demands demands);

	/** Return the answer that a call would get. No state changes. */
	RuleAnswer peek(Demand demand);

	/**
	 * Return the answer that {@link #acquire} would give now. No state changes.
	 * @param demands the demands of the call, at least one
	 * @return the answer of each rule; by default, what each of them answers to a
	 * {@link #peek}, which does not contain the units that an admitted call would take
	 */
	default StoreAnswer preview(Demands demands) {
		return StoreAnswer.to(demands, this::peek);
	}

	/**
	 * Correct what calls counted here have taken.
	 * @param corrections refunds and debts, at least one
	 */
	void correct(List<Correction> corrections);

	/** Forget the counts of a key. */
	void reset(RuleCounts counts, StoredKey key);

	/**
	 * Return whether calls of a key are decided here although the store answers, because
	 * counts of the key have not been charged to it yet.
	 * @return {@code true} until the charge has succeeded; {@code false} by default
	 */
	default boolean hasUncharged(Demand demand) {
		return false;
	}

	/**
	 * Return the counts that have not been charged yet.
	 * @return a live view, whose iterators may or may not see counts that change during
	 * the iteration
	 */
	Collection<? extends Uncharged> uncharged();

	/**
	 * Charge again the units of a key that the store had no room for: it has refunded
	 * some.
	 * @return whether there is something to charge, or may be after the charge that is
	 * under way; {@code false} by default
	 */
	default boolean chargeAgain(Demand demand) {
		return false;
	}

	/**
	 * Drop counts that equal unused ones. Called now and then while the store answers.
	 */
	default void tidy() {
	}

	/**
	 * Counts of one rule and key in the fallback that have to be charged to the store. A
	 * charge begins and then either succeeds or fails.
	 *
	 * <p>
	 * A charge whose reply was lost has failed. It is repeated, so its units may be
	 * counted twice. That is the lesser error: a charge never exceeds the remaining units
	 * and expires like any other, while a missing charge would grant the key its quota
	 * again.
	 */
	interface Uncharged {

		/** Return the rule and the key, as a demand of cost 0. */
		Demand demand();

		/**
		 * Begin to charge everything counted since the last successful charge.
		 * @return the charge; {@code null} if nothing counts any more, or another charge
		 * is under way
		 */
		@Nullable Correction begin();

		/**
		 * End the charge: the store has counted what fits.
		 * @param counted how many units each count of the store has counted. One that has
		 * not counted all of them has nothing left
		 */
		void succeeded(long[] counted);

		/** End the charge: the store has not counted it, as far as is known. */
		void failed();

	}

}
