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

}
