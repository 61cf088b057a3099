package io.github.ratelimit.store;

/**
 * Units that a call has used beyond those that it took. They are counted regardless of
 * the limit, as if the call had taken them with the others. Unless the call had taken
 * nothing, no units are counted if the key was reset since the call was decided, nor by a
 * count that equals an unused one, since the window of the call is over then.
 *
 * @param demand the rule, the key and how many units
 * @param slot the time of the store's clock at which the call was counted
 * @param first whether the call had taken nothing
 * @param decidedAt the time at which the call was decided: {@code slot}, or earlier if
 * the call has waited
 * @since 0.1.0
 */
public record Debt(Demand demand, long slot, boolean first, long decidedAt) {

	/**
	 * Create a new debt of a call that has not waited.
	 * @param demand the rule, the key and how many units
	 * @param slot the time at which the call was counted
	 * @param first whether the call had taken nothing
	 */
	public Debt(Demand demand, long slot, boolean first) {
		this(demand, slot, first, slot);
	}

	/**
	 * Return whether the call was counted as of a later time than that of the decision.
	 * @return {@code false} for most calls, and for those that had taken nothing
	 */
	public boolean hasWaited() {
		return !this.first && this.decidedAt < this.slot;
	}

	/**
	 * Return the same debt of other units.
	 * @param changed the rule, the key and how many units
	 * @return a changed copy
	 */
	public Debt withDemand(Demand changed) {
		return new Debt(changed, this.slot, this.first, this.decidedAt);
	}

}
