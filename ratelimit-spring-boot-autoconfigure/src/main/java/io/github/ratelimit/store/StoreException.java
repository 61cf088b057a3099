package io.github.ratelimit.store;

import org.jspecify.annotations.Nullable;

/**
 * The store could not answer: unreachable, too slow, or refusing.
 *
 * @since 0.1.0
 */
public class StoreException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param message what happened, without any key
	 * @param cause what the store's client reported
	 */
	public StoreException(String message, @Nullable Throwable cause) {
		super(message, cause, false, false);
	}

}
