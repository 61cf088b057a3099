package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.InvalidAttributeException;
import org.jspecify.annotations.Nullable;

/** Group of properties that are the value of one attribute. */
interface AttributeProperties {

	/** Return the value, or refuse a property that is missing or invalid. */
	Object toAttribute();

	static <T> T present(String attribute, @Nullable T value, String reason, String action) {
		if (value == null) {
			throw new InvalidAttributeException(attribute, null, reason, action);
		}
		return value;
	}

}
