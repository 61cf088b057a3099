package io.github.ratelimit.interceptor;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * Text of a value in a key. Arrays are written with their elements. A value whose text is
 * its identity is refused: it would be another one with every call, and nothing would
 * ever be limited.
 */
final class KeyText {

	private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			try {
				return type.getMethod("toString").getDeclaringClass() != Object.class;
			}
			catch (NoSuchMethodException ex) {
				throw new IllegalStateException(ex);
			}
		}

	};

	private KeyText() {
	}

	/**
	 * What a value is in an expression: that of an optional is what it holds.
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
	 * The text of a value.
	 * @param value the value, never an optional
	 * @param operand the expression it is the value of, for messages
	 * @throws IdentityTextException if the value has no text of its own
	 */
	static String of(Object value, String operand) {
		if (value instanceof String text) {
			return text;
		}
		check(value, operand);
		return ObjectUtils.nullSafeToString(value);
	}

	private static void check(@Nullable Object value, String operand) {
		if (value instanceof Object[] elements) {
			for (Object element : elements) {
				checkElement(element, operand);
			}
		}
		else if (value instanceof Collection<?> elements) {
			elements.forEach((element) -> checkElement(element, operand));
		}
		else if (value instanceof Map<?, ?> entries) {
			entries.forEach((key, element) -> {
				checkElement(key, operand);
				checkElement(element, operand);
			});
		}
		else if (value != null && !value.getClass().isArray() && !HAS_TEXT.get(value.getClass())) {
			throw new IdentityTextException(operand, value.getClass());
		}
	}

	/**
	 * An array inside of something else is not written with its elements.
	 */
	private static void checkElement(@Nullable Object element, String operand) {
		if (element != null && element.getClass().isArray()) {
			throw new IdentityTextException(operand, element.getClass());
		}
		check(element, operand);
	}

	/**
	 * The text of a value is its identity.
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
		 * The expression of which the value is a part.
		 */
		String operand() {
			return this.operand;
		}

		String typeName() {
			return this.type.getTypeName();
		}

	}

}
