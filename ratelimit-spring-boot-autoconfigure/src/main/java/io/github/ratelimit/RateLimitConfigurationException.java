package io.github.ratelimit;

import org.jspecify.annotations.Nullable;

/**
 * A rule, an annotation or a property that cannot mean anything. Says where, what value,
 * why, and what to write instead; Spring Boot prints the two parts as description and
 * action.
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
	 * @param description where, what value and why
	 * @param action what to write instead
	 */
	public RateLimitConfigurationException(String description, String action) {
		this(description, action, null);
	}

	/**
	 * Create a new exception.
	 * @param description where, what value and why
	 * @param action what to write instead
	 * @param cause what led to it, or {@code null}
	 */
	public RateLimitConfigurationException(String description, String action, @Nullable Throwable cause) {
		super(description + " " + action, cause);
		this.description = description;
		this.action = action;
	}

	/**
	 * Where the mistake is, the value found there and why it is one.
	 * @return the description
	 */
	public String description() {
		return this.description;
	}

	/**
	 * What to write instead.
	 * @return the action
	 */
	public String action() {
		return this.action;
	}

}
