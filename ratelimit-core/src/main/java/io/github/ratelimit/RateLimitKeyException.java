package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Failure to compute a key, because it or a part of it is null or has no text of its own.
 * One counter {@code "null"} for all calls without a value would let one caller use up
 * the limit of all, and a text that differs with every call would limit nobody.
 *
 * @since 0.1.0
 */
public class RateLimitKeyException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule of the key
	 * @param message the part that is null, its place and the remedy
	 * @param cause the failure of the expression, or {@code null} if its value is null
	 */
	public RateLimitKeyException(String rule, String message, @Nullable Throwable cause) {
		super(rule, message, cause, true);
	}

	/** Create a new exception without a stack trace. */
	RateLimitKeyException(String rule, String message) {
		super(rule, message, null, false);
	}

}
