package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.Count;

/**
 * Units to refund. Nothing is refunded if the key was reset since the call was decided,
 * except the {@link #NEWEST} units, which belong to no call.
 *
 * @param demand the rule, the key and how many units
 * @param slot the time of the store's clock at which they were counted, or
 * {@link #NEWEST}
 * @param decidedAt the time at which the call was decided: {@code slot}, or earlier if
 * the call has waited
 * @since 0.1.0
 */
public record Refund(Demand demand, long slot, long decidedAt) {

	/**
	 * The {@link #slot} of the newest units, except those of calls that still wait.
	 */
	public static final long NEWEST = Count.NEWEST;

	/**
	 * Create a new refund of a call that has not waited, or of the newest units.
	 * @param demand the rule, the key and how many units
	 * @param slot the time at which they were counted, or {@link #NEWEST}
	 */
	public Refund(Demand demand, long slot) {
		this(demand, slot, slot);
	}

	/**
	 * Return whether the units were counted as of a later time than that of the decision.
	 * @return {@code false} for most calls, and for the {@link #NEWEST} units
	 */
	public boolean hasWaited() {
		return this.decidedAt < this.slot;
	}

	/**
	 * Return the same refund of other units.
	 * @param changed the rule, the key and how many units
	 * @return a changed copy
	 */
	public Refund withDemand(Demand changed) {
		return new Refund(changed, this.slot, this.decidedAt);
	}

}
