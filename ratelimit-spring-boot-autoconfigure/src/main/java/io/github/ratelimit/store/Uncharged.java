package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * Counts of one rule and key in the fallback that have to be charged to the store. A
 * charge begins, and then has either succeeded or failed.
 *
 * <p>
 * A charge of which the outcome is unknown, because its reply was lost, has failed. It is
 * made again, so the units may be counted twice. That is the lesser error: a charge never
 * exceeds what the limit has left and lasts no longer than any other units, while a
 * charge that was not made would let the key have its quota again.
 *
 * @since 0.1.0
 */
public interface Uncharged {

	/**
	 * The rule and the key.
	 * @return a demand that takes nothing
	 */
	Demand demand();

	/**
	 * Begin to charge all that was counted since the last charge that succeeded.
	 * @return what to charge; {@code null} if nothing counts any more, or a charge has
	 * begun and not ended
	 */
	@Nullable Charge begin();

	/**
	 * End the charge: the store has counted it.
	 */
	void succeeded();

	/**
	 * End the charge: the store has not counted it, as far as is known.
	 */
	void failed();

}
