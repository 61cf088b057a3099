package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Failure of the store under the policy {@link OnStoreFailure#DENY}. The HTTP status is
 * 503.
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

}
