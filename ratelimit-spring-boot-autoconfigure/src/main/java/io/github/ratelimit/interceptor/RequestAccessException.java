package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * An expression asks for a web request where there is none, or for something the request
 * does not know.
 */
final class RequestAccessException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	RequestAccessException(String message) {
		super(message, null, false, false);
	}

	/**
	 * The one that made an expression fail, however deep SpEL has wrapped it.
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
