package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

/**
 * What one rule said to one call.
 *
 * @param rule the name of the rule
 * @param outcome what it said
 * @param origin who decided
 * @param delay how long the call waits because of this rule, {@link Duration#ZERO} when
 * it does not
 * @param limits where the limits of the rule stand after the decision, in declared order;
 * empty when nobody counted because the store failed and the policy is
 * {@link OnStoreFailure#ALLOW} or {@link OnStoreFailure#DENY}
 * @since 0.1.0
 */
public record RuleDecision(String rule, Outcome outcome, Decision.Origin origin, Duration delay,
		List<LimitStatus> limits) {

	/**
	 * What a rule says.
	 */
	public enum Outcome {

		/**
		 * The call goes on, now or after its delay.
		 */
		ALLOWED,

		/**
		 * The call does not take place.
		 */
		DENIED,

		/**
		 * The call goes on, only because the rule is in {@linkplain Mode#SHADOW shadow
		 * mode}.
		 */
		SHADOW_DENIED

	}

}
