package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Failure of the store under the policy {@link OnStoreFailure#DENY}, or, regardless of
 * the policy, of a request that nothing else can answer, such as a change of a key. The
 * HTTP status is 503.
 *
 * @since 0.1.0
 */
public class RateLimiterUnavailableException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule whose policy is to deny
	 * @param cause the failure of the store
	 */
	public RateLimiterUnavailableException(String rule, @Nullable Throwable cause) {
		super(rule, "The store of rate limit \"" + rule + "\" could not answer, and its policy is to deny", cause,
				false);
	}

	private RateLimiterUnavailableException(String rule, Throwable cause, String message) {
		super(rule, message, cause, false);
	}

	/**
	 * {@return the exception for a change that the store did not confirm}
	 * @param rule the rule that was to be changed for a key
	 * @param cause the failure of the store
	 */
	public static RateLimiterUnavailableException unconfirmedChange(String rule, Throwable cause) {
		return new RateLimiterUnavailableException(rule, cause,
				"The store did not confirm the change of rate limit \"" + rule + "\"; it may still take effect");
	}

	/**
	 * {@return the exception for a change that the store refused}
	 * @param rule the rule that was to be changed for a key
	 * @param cause the refusal of the store
	 * @param remedy the action for an operator
	 */
	public static RateLimiterUnavailableException refusedChange(String rule, Throwable cause, String remedy) {
		return new RateLimiterUnavailableException(rule, cause,
				"The store refused the change of rate limit \"" + rule + "\": " + cause.getMessage() + ". " + remedy);
	}

}
