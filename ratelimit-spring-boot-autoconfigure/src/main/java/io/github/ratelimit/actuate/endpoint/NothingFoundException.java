package io.github.ratelimit.actuate.endpoint;

/**
 * Request to the endpoint for an unknown rule or override.
 *
 * @since 0.1.0
 */
public class NothingFoundException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create a new exception.
	 * @param message what is unknown, and the known names
	 */
	public NothingFoundException(String message) {
		super(message);
	}

}
