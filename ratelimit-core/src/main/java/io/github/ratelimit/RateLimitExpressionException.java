package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A cost, condition, plan, priority or time zone that could not be evaluated for a call.
 * The call is refused, because its limit or its cost cannot be determined.
 *
 * @since 0.1.0
 */
public class RateLimitExpressionException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule whose expression it is
	 * @param message the expression, its place, the reason and the remedy
	 * @param cause the cause, or {@code null}
	 */
	public RateLimitExpressionException(String rule, String message, @Nullable Throwable cause) {
		super(rule, message, cause, true);
	}

}
