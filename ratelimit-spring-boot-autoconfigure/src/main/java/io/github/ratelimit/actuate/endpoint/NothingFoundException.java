package io.github.ratelimit.actuate.endpoint;

/**
 * The endpoint was asked for something that there is not.
 *
 * @since 0.1.0
 */
public class NothingFoundException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param message what there is not, and what there is
	 */
	public NothingFoundException(String message) {
		super(message);
	}

}
