package io.github.ratelimit.interceptor;

import io.github.ratelimit.store.Demand;

/**
 * Rule of a call that settles its units when it ends.
 *
 * @param demand the demand of the call
 * @param expressions settle the units
 */
record RuleEnd(Demand demand, EndPolicy expressions) {

	/**
	 * Return whether a demand is that of this rule, perhaps with other numbers.
	 */
	boolean isOf(Demand other) {
		return other.rule().name().equals(this.demand.rule().name()) && other.key().equals(this.demand.key());
	}

}
