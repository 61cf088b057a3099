package io.github.ratelimit.engine;

import io.github.ratelimit.store.Demand;

/**
 * Units that a call has used when it ends.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface UsedUnits {

	/** All units that the call took. */
	UsedUnits ALL = Demand::cost;

	/**
	 * Return how many units of one rule stay counted. Must not fail.
	 * @param demand the demand by which the rule has admitted the call. It may count by
	 * other numbers than the demand that the call came with, but its rule has the same
	 * name, and its key is the same
	 * @return the units, 0 or more; the {@linkplain Demand#cost() cost} to change nothing
	 */
	long of(Demand demand);

}
