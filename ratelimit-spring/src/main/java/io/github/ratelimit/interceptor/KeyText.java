package io.github.ratelimit.interceptor;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;

import io.github.ratelimit.interceptor.KeyText.NoTextException.Reason;
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
	 * @throws NoTextException if there is no value
	 */
	static String required(@Nullable Object value, String operand) {
		if (value == null) {
			throw new NoTextException(operand);
		}
		return of(value, operand);
	}

	/**
	 * Return the text of a value.
	 * @param value the value, never an optional
	 * @param operand the expression it is the value of, for messages
	 * @throws NoTextException if the value has no text of its own, is a collection or an
	 * array that contains {@code null}, or is a publisher or a future
	 */
	static String of(Object value, String operand) {
		if (value instanceof String text) {
			return text;
		}
		if (HAS_VALUE_LATER.get(value.getClass())) {
			throw new NoTextException(Reason.LATER, operand, value.getClass());
		}
		OwnText.check(value, operand);
		return ObjectUtils.nullSafeToString(value);
	}

	/**
	 * Failure of a value that cannot be written into a key.
	 */
	static final class NoTextException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final Reason reason;

		private final String operand;

		private final @Nullable Class<?> type;

		/**
		 * Create the failure of an operand that is {@code null}.
		 */
		NoTextException(String operand) {
			this(Reason.NULL, operand, null);
		}

		NoTextException(Reason reason, String operand, @Nullable Class<?> type) {
			super(reason + " in " + operand, null, false, false);
			this.reason = reason;
			this.operand = operand;
			this.type = type;
		}

		Reason reason() {
			return this.reason;
		}

		/**
		 * Return the expression that contains the value.
		 */
		String operand() {
			return this.operand;
		}

		/**
		 * Return the type of a value that there is.
		 */
		String typeName() {
			return (this.type != null) ? this.type.getTypeName() : "";
		}

		enum Reason {

			/**
			 * There is no value.
			 */
			NULL,

			/**
			 * The text of the value is its identity.
			 */
			IDENTITY,

			/**
			 * A collection or an array contains {@code null}: all calls without a value
			 * would share a counter.
			 */
			NULL_ELEMENT,

			/**
			 * The value of a publisher or a future is not known yet.
			 */
			LATER

		}

	}

}
