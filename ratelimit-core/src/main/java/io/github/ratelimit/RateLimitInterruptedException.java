package io.github.ratelimit;

/**
 * Interruption of a limited call that waited for its decision or its turn. The method did
 * not run, the units are refunded, at the latest when the store answers, and the thread
 * is still interrupted.
 *
 * @since 0.1.0
 */
public class RateLimitInterruptedException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule that the call waited for
	 * @param cause the interruption
	 */
	public RateLimitInterruptedException(String rule, InterruptedException cause) {
		super(rule, "Interrupted while waiting for rate limit \"" + rule + '"', cause, true);
	}

}
