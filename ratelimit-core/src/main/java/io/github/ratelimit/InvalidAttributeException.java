package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;

import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.Notation;
import org.jspecify.annotations.Nullable;

/**
 * Invalid or missing value of an attribute of a rule or limit. A caller that has the
 * place of the value {@linkplain #at(String) adds it}.
 *
 * @since 0.1.0
 * @serial exclude
 */
public class InvalidAttributeException extends RateLimitConfigurationException {

	private static final long serialVersionUID = 1L;

	private static final int LONGEST_VALUE = 500;

	private final String attribute;

	private final String location;

	private final @Nullable String value;

	private final String reason;

	private final String remedy;

	/**
	 * Create a new exception.
	 * @param attribute the attribute as written in YAML, {@code max} for example
	 * @param value the offending value, or {@code null} when it is missing
	 * @param reason the reason why the value is invalid
	 * @param remedy the advice, with attributes quoted as YAML in backticks,
	 * <code>`max: 5`</code>
	 */
	public InvalidAttributeException(String attribute, @Nullable Object value, String reason, String remedy) {
		this(attribute, attribute, text(value), reason, remedy, Notation.YAML::print);
	}

	private InvalidAttributeException(String attribute, String location, @Nullable String value, String reason,
			String remedy, UnaryOperator<String> notation) {
		super(location + ((value == null) ? " is missing: " : " = " + value + " is invalid: ") + reason,
				notation.apply(remedy));
		this.attribute = attribute;
		this.location = location;
		this.value = value;
		this.reason = reason;
		this.remedy = remedy;
	}

	private static @Nullable String text(@Nullable Object value) {
		return (value instanceof Duration duration) ? DurationText.of(duration)
				: shortened(Objects.toString(value, null));
	}

	private static @Nullable String shortened(@Nullable String text) {
		return (text == null || text.length() <= LONGEST_VALUE) ? text : text.substring(0, LONGEST_VALUE) + "…";
	}

	/**
	 * {@return the attribute whose value is wrong, as written in YAML}
	 */
	public String attribute() {
		return this.attribute;
	}

	/**
	 * {@return the place of the value: a property, or an attribute of an annotation}
	 */
	public String location() {
		return this.location;
	}

	/**
	 * {@return whether the value is missing instead of wrong}
	 */
	public boolean isMissing() {
		return this.value == null;
	}

	/**
	 * Add when the value is invalid.
	 * @param circumstance the text before the reason
	 * @return an exception of the same place
	 */
	public InvalidAttributeException under(String circumstance) {
		return new InvalidAttributeException(this.attribute, this.location, this.value, circumstance + this.reason,
				this.remedy, Notation.YAML::print);
	}

	/**
	 * Add the place of the value.
	 * @param newLocation the property
	 * @return an exception whose description begins with the location
	 */
	public InvalidAttributeException at(String newLocation) {
		return at(newLocation, Notation.YAML::print);
	}

	/**
	 * Add the place of the value.
	 * @param newLocation the property, or the annotation and its attribute
	 * @param notation prints the quoted attributes of the advice as they are written
	 * there
	 * @return an exception whose description begins with the location
	 */
	public InvalidAttributeException at(String newLocation, UnaryOperator<String> notation) {
		return new InvalidAttributeException(this.attribute, newLocation, this.value, this.reason, this.remedy,
				notation);
	}

}
