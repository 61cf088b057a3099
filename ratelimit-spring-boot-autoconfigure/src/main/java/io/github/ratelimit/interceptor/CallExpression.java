package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

/**
 * An expression of an annotation, ready to be evaluated.
 */
@FunctionalInterface
interface CallExpression {

	/**
	 * Evaluate on a call.
	 * @param call the call
	 * @return the value
	 */
	@Nullable Object evaluate(Call call);

	/**
	 * What the web request of a call lacks for a value.
	 * @param call a call on which the expression is null or fails
	 * @return the part of the request as a client knows it, or {@code null} if the reason
	 * is another one
	 */
	default @Nullable String missingPart(Call call) {
		return null;
	}

}
