package io.github.ratelimit.interceptor;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;

import io.github.ratelimit.interceptor.KeyText.NoTextException;
import io.github.ratelimit.interceptor.KeyText.NoTextException.Reason;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NativeDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

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

	/** Return the text of a value that must not be {@code null}. */
	static String required(@Nullable Object value, String operand) {
		if (value == null) {
			throw new NoTextException(operand);
		}
		return of(value, operand);
	}

	/** Return the text of a value. */
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

	static final class NoTextException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private final Reason reason;

		private final String operand;

		private final @Nullable Class<?> type;

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

		String operand() {
			return this.operand;
		}

		String typeName() {
			return (this.type != null) ? this.type.getTypeName() : "";
		}

		enum Reason {

			NULL,

			IDENTITY,

			/**
			 * A collection or an array contains {@code null}: all calls without a value
			 * would share a counter.
			 */
			NULL_ELEMENT,

			/** The value of a publisher or a future is not known yet. */
			LATER

		}

	}

	/**
	 * Search for values whose text is their identity, also inside composed values:
	 * collections, maps and their entries, optionals and records.
	 */
	static final class OwnText {

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

		/**
		 * Components of a record that may have no text of their own. They are read as
		 * fields, like its generated toString() does.
		 */
		private static final ClassValue<List<Field>> COMPONENTS = new ClassValue<>() {

			@Override
			protected List<Field> computeValue(Class<?> type) {
				return Arrays.stream(type.getRecordComponents())
					.filter((component) -> !component.getType().isPrimitive() && component.getType() != String.class)
					.map((component) -> ReflectionUtils.findField(type, component.getName()))
					.filter((field) -> field != null && field.trySetAccessible())
					.toList();
			}

		};

		private OwnText() {
		}

		/** Check a value, which may be an array: it is written with its elements. */
		static void check(Object value, String operand) {
			if (value instanceof Object[] elements) {
				Arrays.asList(elements).forEach((element) -> checkElement(element, operand));
			}
			else if (!value.getClass().isArray()) {
				checkElement(value, operand);
			}
			if (containsNull(value)) {
				throw new NoTextException(Reason.NULL_ELEMENT, operand, value.getClass());
			}
		}

		static boolean containsNull(Object value) {
			Collection<?> elements = (value instanceof Object[] array) ? Arrays.asList(array)
					: (value instanceof Collection<?> collection) ? collection : List.of();
			for (Object each : elements) {
				Object element = KeyText.held(each);
				if (element == null || containsNull(element)) {
					return true;
				}
			}
			return false;
		}

		/**
		 * Check an element. A nested array is not written with its elements. A native
		 * image does not know the methods of every class.
		 */
		private static void checkElement(@Nullable Object value, String operand) {
			if (value == null || value instanceof String || NativeDetector.inNativeImage()) {
				return;
			}
			if (value.getClass().isArray() || !HAS_TEXT.get(value.getClass())) {
				throw new NoTextException(Reason.IDENTITY, operand, value.getClass());
			}
			if (value instanceof Collection<?> elements) {
				elements.forEach((element) -> checkElement(element, operand));
			}
			else if (value instanceof Map<?, ?> entries) {
				entries.forEach((key, element) -> {
					checkElement(key, operand);
					checkElement(element, operand);
				});
			}
			else if (value instanceof Map.Entry<?, ?> entry) {
				checkPart(entry.getKey(), value, operand);
				checkPart(entry.getValue(), value, operand);
			}
			else if (value instanceof Optional<?> optional) {
				checkElement(optional.orElse(null), operand);
			}
			else if (value instanceof Record) {
				COMPONENTS.get(value.getClass())
					.forEach((component) -> checkPart(ReflectionUtils.getField(component, value), value, operand));
			}
		}

		/** Check a part of a value, unless its own toString() leaves the part out. */
		private static void checkPart(@Nullable Object part, Object whole, String operand) {
			try {
				checkElement(part, operand);
			}
			catch (NoTextException ex) {
				if (whole.toString().contains(String.valueOf(part))) {
					throw ex;
				}
			}
		}

	}

}
