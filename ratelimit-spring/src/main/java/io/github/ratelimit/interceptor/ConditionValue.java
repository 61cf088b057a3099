package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.ConversionException;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.support.DefaultConversionService;
import org.springframework.expression.EvaluationException;

/**
 * Value of a condition as a boolean. It is converted as Spring does, so {@code "true"},
 * {@code "on"}, {@code "yes"} and {@code "1"} are true. Anything else than true or false
 * is an error: a mistake must not let every call pass.
 */
final class ConditionValue {

	private static final ConversionService CONVERSIONS = DefaultConversionService.getSharedInstance();

	private ConditionValue() {
	}

	static boolean of(@Nullable Object value) {
		if (value instanceof Boolean known) {
			return known;
		}
		try {
			Boolean converted = CONVERSIONS.convert(KeyText.held(value), Boolean.class);
			if (converted != null) {
				return converted;
			}
		}
		catch (ConversionException ex) {
			// neither true nor false
		}
		throw new NoBooleanException(value);
	}

	static final class NoBooleanException extends EvaluationException {

		private static final long serialVersionUID = 1L;

		NoBooleanException(@Nullable Object value) {
			super("has to be true or false, but is " + describe(value));
		}

		/** Describe a value without showing it, since it may be a part of a key. */
		private static String describe(@Nullable Object value) {
			Object held = KeyText.held(value);
			if (held == null) {
				return "null";
			}
			return (held instanceof String) ? "another text" : "a " + held.getClass().getTypeName();
		}

	}

}
