package io.github.ratelimit;

/**
 * The thread of a limited call was interrupted while the call waited for its decision or
 * for its turn. The method did not run, what was taken is given back, if need be when the
 * store answers, and the thread is still interrupted.
 *
 * @since 0.1.0
 */
public class RateLimitInterruptedException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param rule the rule the call waited for
	 * @param cause the interruption
	 */
	public RateLimitInterruptedException(String rule, InterruptedException cause) {
		super(rule, "Interrupted while waiting for rate limit \"" + rule + '"', cause, true);
	}

}
