package io.github.ratelimit.engine;

import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;

/**
 * Policy for calls that the store cannot answer. Of the rules of one call the strictest
 * policy wins: one {@code deny} denies, and of the others those with {@code local} are
 * counted by the fallback store. A rule in shadow mode never denies, regardless of the
 * policy.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StoreFailurePolicy {

	/** Return the policy of rules that have none of their own. The log names it. */
	OnStoreFailure byDefault();

	/** Return the policy of a rule: its own, or the default. */
	default OnStoreFailure of(RateLimitRule rule) {
		OnStoreFailure own = rule.onStoreFailure();
		return (own != null) ? own : byDefault();
	}

	/**
	 * Return the policy of a rule as calls meet it.
	 * @return {@code ALLOW} instead of {@code DENY} for a rule in shadow mode
	 */
	default OnStoreFailure effective(RateLimitRule rule) {
		OnStoreFailure chosen = of(rule);
		return (chosen == OnStoreFailure.DENY && rule.mode() == Mode.SHADOW) ? OnStoreFailure.ALLOW : chosen;
	}

}
