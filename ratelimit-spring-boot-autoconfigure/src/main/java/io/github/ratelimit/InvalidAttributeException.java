package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A value that one attribute of a rule or limit cannot have. Whoever knows where the
 * value was written {@linkplain #at(String) says so}.
 *
 * @since 0.1.0
 */
public class InvalidAttributeException extends RateLimitConfigurationException {

	private static final long serialVersionUID = 1L;

	private final String attribute;

	private final String value;

	private final String reason;

	/**
	 * Create a new exception.
	 * @param attribute the attribute as written in YAML, {@code max} for example
	 * @param value the offending value, or {@code null} when it is missing
	 * @param reason why the value cannot be
	 * @param action what to write instead
	 */
	public InvalidAttributeException(String attribute, @Nullable Object value, String reason, String action) {
		this(attribute, attribute, text(value), reason, action);
	}

	private InvalidAttributeException(String attribute, String location, String value, String reason, String action) {
		super(location + ((value.equals("null")) ? " is missing: " : " = " + value + " is invalid: ") + reason, action);
		this.attribute = attribute;
		this.value = value;
		this.reason = reason;
	}

	private static String text(@Nullable Object value) {
		return (value instanceof Duration duration) ? DurationText.of(duration) : String.valueOf(value);
	}

	/**
	 * The attribute whose value is wrong.
	 * @return its name as written in YAML
	 */
	public String attribute() {
		return this.attribute;
	}

	/**
	 * The same mistake, told with the place where the value was written.
	 * @param location the property or the annotation and its attribute
	 * @return an exception whose description begins with the location
	 */
	public InvalidAttributeException at(String location) {
		return new InvalidAttributeException(this.attribute, location, this.value, this.reason, action());
	}

}
