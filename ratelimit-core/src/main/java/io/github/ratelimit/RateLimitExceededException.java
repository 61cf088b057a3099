package io.github.ratelimit;

import io.github.ratelimit.notation.DurationText;

/**
 * Denial of a call. The HTTP status is 429. It has no stack trace: under attack it is
 * thrown often, and its origin is known.
 *
 * @since 0.1.0
 */
public class RateLimitExceededException extends RateLimitException {

	private static final long serialVersionUID = 1L;

	private final transient Decision decision;

	/**
	 * Create a new exception.
	 * @param decision the denial
	 */
	public RateLimitExceededException(Decision decision) {
		super(decision.rule(), message(decision), null, false);
		this.decision = decision;
	}

	private static String message(Decision decision) {
		String limits = String.join("\", \"", decision.violated());
		boolean isNever = decision.retryAfter().equals(Decision.NEVER);
		boolean isKnown = !isNever && !decision.retryAfter().isZero();
		String retry = !isKnown ? "" : "; retry after " + DurationText.roundedUp(decision.retryAfter());
		if (decision.origin() == Decision.Origin.NONE) {
			return "Rate limit \"" + limits + "\" blocks the key" + retry;
		}
		return "Rate limit \"" + limits + "\" exceeded"
				+ (isNever ? "; the call costs more than the limit can hold" : retry);
	}

	/**
	 * {@return the denial}
	 */
	public Decision decision() {
		return this.decision;
	}

}
