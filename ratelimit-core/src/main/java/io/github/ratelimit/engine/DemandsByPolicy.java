package io.github.ratelimit.engine;

import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demands;

/**
 * Demands of a call that the store cannot answer, by the failure policy of their rules.
 *
 * @param denied the demands that are denied
 * @param counted the demands that the fallback counts
 * @param allowed the demands that are allowed without being counted
 */
record DemandsByPolicy(Demands denied, Demands counted, Demands allowed) {

	static DemandsByPolicy of(Demands demands, StoreFailurePolicy policy) {
		return new DemandsByPolicy(only(OnStoreFailure.DENY, demands, policy),
				only(OnStoreFailure.LOCAL, demands, policy), only(OnStoreFailure.ALLOW, demands, policy));
	}

	private static Demands only(OnStoreFailure wanted, Demands demands, StoreFailurePolicy policy) {
		return demands.filter((demand) -> effective(policy, demand.rule()) == wanted);
	}

	/**
	 * Return the policy of a rule as the engine applies it: a rule in shadow mode denies
	 * nothing, so neither does its policy.
	 */
	static OnStoreFailure effective(StoreFailurePolicy policy, RateLimitRule rule) {
		OnStoreFailure chosen = policy.of(rule);
		return (chosen == OnStoreFailure.DENY && rule.mode() == Mode.SHADOW) ? OnStoreFailure.ALLOW : chosen;
	}

}
