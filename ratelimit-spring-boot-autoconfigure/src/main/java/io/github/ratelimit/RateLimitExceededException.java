package io.github.ratelimit;

/**
 * The call was denied. Over HTTP it is answered with 429. Carries no stack trace: under
 * attack it is thrown often, and where it comes from is no mystery.
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
		String retry = decision.retryAfter().equals(Decision.NEVER) ? "; the call costs more than the limit can hold"
				: "; retry after " + decision.retryAfter().toMillis() + " ms";
		return "Rate limit \"" + limits + "\" exceeded" + retry;
	}

	/**
	 * The denial.
	 * @return the decision
	 */
	public Decision decision() {
		return this.decision;
	}

}
