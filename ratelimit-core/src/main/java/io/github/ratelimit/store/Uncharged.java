package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Counts of one rule and key in the fallback that have to be charged to the store. A
 * charge begins and then either succeeds or fails.
 *
 * <p>
 * A charge whose reply was lost has failed. It is repeated, so its units may be counted
 * twice. That is the lesser error: a charge never exceeds the remaining units and expires
 * like any other, while a missing charge would grant the key its quota again.
 *
 * @since 0.1.0
 */
public interface Uncharged {

	/**
	 * Return the rule and the key.
	 * @return a demand of cost 0
	 */
	Demand demand();

	/**
	 * Begin to charge everything counted since the last successful charge.
	 * @return the charge; {@code null} if nothing counts any more, or another charge is
	 * under way
	 */
	@Nullable Correction begin();

	/**
	 * End the charge: the store has counted what fits.
	 * @param counted how many units each count of the store has counted. One that has not
	 * counted all of them has nothing left
	 */
	void succeeded(long[] counted);

	/** End the charge: the store has not counted it, as far as is known. */
	void failed();

}
