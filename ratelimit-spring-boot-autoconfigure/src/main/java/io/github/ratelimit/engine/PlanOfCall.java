package io.github.ratelimit.engine;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.store.RuleCounts;

/**
 * Numbers by which a call is decided: those of a plan of its rule, or its own.
 */
final class PlanOfCall {

	private final UnknownPlans unknown;

	PlanOfCall(UnknownPlans unknown) {
		this.unknown = unknown;
	}

	/**
	 * Select the plan of a name.
	 * @param own the rule with its own numbers
	 * @param plan the name; {@code null}, empty or unknown for the rule's own numbers; an
	 * unknown name is reported
	 */
	RuleCounts named(RuleCounts own, @Nullable String plan) {
		if (plan == null || plan.isEmpty()) {
			return own;
		}
		RuleCounts planned = own.under(plan);
		if (planned == null) {
			this.unknown.met(own.rule().name(), plan, own.rule().plans().keySet());
			return own;
		}
		return planned;
	}

}
