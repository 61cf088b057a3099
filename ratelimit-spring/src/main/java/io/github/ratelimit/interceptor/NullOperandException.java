package io.github.ratelimit.interceptor;

/**
 * Failure of a concatenation with an operand that is {@code null}.
 */
final class NullOperandException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	NullOperandException(String operand) {
		super(operand, null, false, false);
	}

	String operand() {
		return getMessage();
	}

}
