package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A call that did not take place because of a rate limit. Never mentions a key.
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
	 * The rule that stopped the call.
	 * @return the name of the rule
	 */
	public String rule() {
		return this.rule;
	}

}
