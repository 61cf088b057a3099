package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A key that could not be computed, because it or a part of it is null or has no text of
 * its own. Counting calls without a value together under {@code "null"} would let one
 * caller use up the limit of all, and a text that is another one with every call would
 * limit nobody.
 *
 * @since 0.1.0
 */
public class RateLimitKeyException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule whose key it is
	 * @param message what is null, where, and what to write instead
	 * @param cause why the expression failed, or {@code null} if it gave null
	 */
	public RateLimitKeyException(String rule, String message, @Nullable Throwable cause) {
		super(rule, message, cause, true);
	}

	/**
	 * Create a new exception without a stack trace.
	 */
	RateLimitKeyException(String rule, String message) {
		super(rule, message, null, false);
	}

}
