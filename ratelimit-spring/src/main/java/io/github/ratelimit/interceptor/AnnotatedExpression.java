package io.github.ratelimit.interceptor;

import java.util.function.Function;

import io.github.ratelimit.RateLimitConfigurationException;

import org.springframework.expression.ParseException;

/**
 * Expression of an annotation, or of the properties that override it, and the messages
 * about its mistakes.
 */
final class AnnotatedExpression {

	private AnnotatedExpression() {
	}

	/**
	 * Compile an expression.
	 * @param location the annotated method, or the property
	 * @param attribute the attribute of the annotation
	 * @throws RateLimitConfigurationException if it is invalid
	 */
	static CallExpression compile(String location, String attribute, String text,
			Function<String, CallExpression> compiler) {
		String where = "Invalid " + location + ": " + attribute + " \"" + text + "\" ";
		if (text.isBlank()) {
			throw new RateLimitConfigurationException(where + "is blank.",
					"Remove it, or write an expression: parameters are written as #name, text in single quotes.");
		}
		try {
			return compiler.apply(text);
		}
		catch (RefusedExpressionException ex) {
			throw new RateLimitConfigurationException(where + ex.getMessage() + ".",
					ex.remedy().isEmpty() ? "Use one of the known names." : ex.remedy());
		}
		catch (ConditionValue.NoBooleanException ex) {
			throw new RateLimitConfigurationException(where + ex.getMessage() + ".",
					"Write an expression that is true or false: \"#text.length() > 100\" for example.");
		}
		catch (ParseException ex) {
			throw new RateLimitConfigurationException(
					where + "is not a SpEL expression: " + ex.getSimpleMessage() + ".",
					"Parameters are written as #name, text in single quotes: \"#userId + ':reply'\" for example.", ex);
		}
	}

}
