package io.github.ratelimit.interceptor;

/**
 * A part of a concatenation is {@code null}.
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
