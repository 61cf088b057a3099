package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * Failure of an expression that needs a web request where there is none, or a value that
 * the request cannot provide.
 */
final class RequestAccessException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RequestAccessException(String message) {
		super(message, null, false, false);
	}

	/**
	 * Find the exception that made an expression fail, however deep SpEL has wrapped it.
	 */
	static @Nullable RequestAccessException in(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof RequestAccessException found) {
				return found;
			}
		}
		return null;
	}

}
