package io.github.ratelimit.interceptor;

import java.util.Set;

import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * What names an expression may use, and what they mean.
 */
interface ExpressionScope {

	/**
	 * What is called {@code #name}.
	 */
	Parameters parameters();

	/**
	 * What is called just by its name, besides the method {@code header}.
	 */
	Set<String> properties();

	/**
	 * What the names mean for one call.
	 */
	StandardEvaluationContext context(Call call);

}
