package io.github.ratelimit.interceptor;

/** Refusal of an expression that can be parsed, with what to write instead. */
class RefusedExpressionException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String remedy;

	/**
	 * Create a new exception.
	 * @param reason what is wrong, as the predicate of a sentence about the expression
	 * @param remedy what to write instead, empty if nothing is known to be better
	 */
	RefusedExpressionException(String reason, String remedy) {
		super(reason, null, false, false);
		this.remedy = remedy;
	}

	String remedy() {
		return this.remedy;
	}

}
