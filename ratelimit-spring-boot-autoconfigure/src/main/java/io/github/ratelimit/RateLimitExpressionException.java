package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A cost or condition that could not be evaluated for a call. The call does not take
 * place: whether and how much it is limited is not known.
 *
 * @since 0.1.0
 */
public class RateLimitExpressionException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule whose expression it is
	 * @param message which expression, where, why, and what to write instead
	 * @param cause why the expression failed
	 */
	public RateLimitExpressionException(String rule, String message, @Nullable Throwable cause) {
		super(rule, message, cause, true);
	}

}
