package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * Invalid rule, annotation or property. The description names the place, the value and
 * the reason, the action the remedy; Spring Boot prints both.
 *
 * @since 0.1.0
 * @serial exclude
 */
public class RateLimitConfigurationException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	private final String description;

	private final String action;

	/**
	 * Create a new exception.
	 * @param description the place, the value and the reason
	 * @param action the remedy
	 */
	public RateLimitConfigurationException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Create a new exception.
	 * @param description the place, the value and the reason
	 * @param action the remedy
	 * @param cause the cause, or {@code null}
	 */
	public RateLimitConfigurationException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * {@return the place of the mistake, the value found there and the reason}
	 */
	public String description() {
		return this.description;
	}

	/**
	 * {@return the remedy}
	 */
	public String action() {
		return this.action;
	}

}
