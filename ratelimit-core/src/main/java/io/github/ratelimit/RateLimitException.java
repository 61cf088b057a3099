package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Failure of a call because of a rate limit. The message never contains a key.
 *
 * @since 0.1.0
 * @serial exclude
 */
public abstract class RateLimitException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String rule;

	RateLimitException(String rule, String message, @Nullable Throwable cause, boolean writableStackTrace) {
		super(message, cause, false, writableStackTrace);
		this.rule = rule;
	}

	/**
	 * {@return the name of the rule that stopped the call}
	 */
	public String rule() {
		return this.rule;
	}

}
