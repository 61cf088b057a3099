package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Decision of one rule on one call.
 *
 * @param rule the name of the rule
 * @param outcome the outcome
 * @param origin the source of the decision
 * @param delay the time that the call waits because of this rule, {@link Duration#ZERO}
 * for none
 * @param limits the status of the limits of the rule after the decision, in declared
 * order; empty if the key is blocked, or if the store failed and the policy is
 * {@link OnStoreFailure#ALLOW} or {@link OnStoreFailure#DENY}
 * @param plan the name of the plan that the call came under, or {@code null} for the
 * rule's own numbers, or if the plan expression returned a {@link Limit}
 * @param priority the {@linkplain RateLimitRule#classOf class} by which the call was
 * decided, or {@code null} if the rule has no classes
 * @since 0.1.0
 */
public record RuleDecision(String rule, Outcome outcome, Decision.Origin origin, Duration delay,
		List<LimitStatus> limits, @Nullable String plan, @Nullable String priority) {

	/** Outcome of a rule. */
	public enum Outcome {

		/** The call proceeds, now or after its delay. */
		ALLOWED,

		/** The call does not take place. */
		DENIED,

		/**
		 * The call proceeds only because the rule is in {@linkplain Mode#SHADOW shadow
		 * mode}.
		 */
		SHADOW_DENIED

	}

}
