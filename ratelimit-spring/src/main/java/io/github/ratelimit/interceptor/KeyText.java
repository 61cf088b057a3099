package io.github.ratelimit.interceptor;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ObjectUtils;

/**
 * Text of a value in a key. Arrays are written with their elements. A value whose text is
 * its identity is refused: each call would have a key of its own, and none would be
 * limited.
 */
final class KeyText {

	private static final ClassValue<Boolean> HAS_VALUE_LATER = new ClassValue<>() {

		@Override
		protected Boolean computeValue(Class<?> type) {
			return Future.class.isAssignableFrom(type)
					|| ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
		}

	};

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
	 * Return the text of a value that must not be {@code null}.
	 * @param value the value, never an optional
	 * @param operand the expression it is the value of, for messages
	 * @throws NullOperandException if there is no value
	 */
	static String required(@Nullable Object value, String operand) {
		if (value == null) {
			throw new NullOperandException(operand);
		}
		return of(value, operand);
	}

	/**
	 * Return the text of a value.
	 * @param value the value, never an optional
	 * @param operand the expression it is the value of, for messages
	 * @throws IdentityTextException if the value has no text of its own
	 * @throws NullElementException if the value is a collection or an array that contains
	 * {@code null}
	 * @throws LaterValueException if the value is a publisher or a future
	 */
	static String of(Object value, String operand) {
		if (value instanceof String text) {
			return text;
		}
		if (HAS_VALUE_LATER.get(value.getClass())) {
			throw new LaterValueException(operand, value.getClass());
		}
		OwnText.check(value, operand);
		return ObjectUtils.nullSafeToString(value);
	}

	/**
	 * Failure of a value that cannot be written into a key.
	 */
	abstract static class NoTextException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final String operand;

		private final Class<?> type;

		NoTextException(String operand, Class<?> type) {
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

	/**
	 * Failure of a value whose text is its identity.
	 */
	static final class IdentityTextException extends NoTextException {

		private static final long serialVersionUID = 1L;

		IdentityTextException(String operand, Class<?> type) {
			super(operand, type);
		}

	}

	/**
	 * Failure of a collection or an array that contains {@code null}: all calls without a
	 * value would share a counter.
	 */
	static final class NullElementException extends NoTextException {

		private static final long serialVersionUID = 1L;

		NullElementException(String operand, Class<?> type) {
			super(operand, type);
		}

	}

	/**
	 * Failure of a publisher or a future, whose value is not known yet.
	 */
	static final class LaterValueException extends NoTextException {

		private static final long serialVersionUID = 1L;

		LaterValueException(String operand, Class<?> type) {
			super(operand, type);
		}

	}

}
