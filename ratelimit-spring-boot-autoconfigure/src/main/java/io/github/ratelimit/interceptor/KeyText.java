package io.github.ratelimit.interceptor;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Text of a value in a key. Arrays are written with their elements. A value whose text is
 * its identity is refused: each call would have a key of its own, and none would be
 * limited.
 */
final class KeyText {

	private KeyText() {
	}

	/**
	 * Return the value itself or, of an optional, the value that it holds.
	 * @return {@code null} for an empty optional
	 */
	static @Nullable Object held(@Nullable Object value) {
		if (value == null || value instanceof String) {
			return value;
		}
		if (value instanceof Optional<?> optional) {
			return held(optional.orElse(null));
		}
		if (value instanceof OptionalInt optional) {
			return optional.isPresent() ? optional.getAsInt() : null;
		}
		if (value instanceof OptionalLong optional) {
			return optional.isPresent() ? optional.getAsLong() : null;
		}
		if (value instanceof OptionalDouble optional) {
			return optional.isPresent() ? optional.getAsDouble() : null;
		}
		return value;
	}

	/**
	 * Return the text of a value.
	 * @param value the value, never an optional
	 * @param operand the expression it is the value of, for messages
	 * @throws IdentityTextException if the value has no text of its own
	 */
	static String of(Object value, String operand) {
		if (value instanceof String text) {
			return text;
		}
		OwnText.check(value, operand);
		return ObjectUtils.nullSafeToString(value);
	}

	/**
	 * Failure of a value whose text is its identity.
	 */
	static final class IdentityTextException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final String operand;

		private final Class<?> type;

		IdentityTextException(String operand, Class<?> type) {
			super(null, null, false, false);
			this.operand = operand;
			this.type = type;
		}

		/**
		 * Return the expression that contains the value.
		 */
		String operand() {
			return this.operand;
		}

		String typeName() {
			return this.type.getTypeName();
		}

	}

}
