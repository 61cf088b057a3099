package io.github.ratelimit.interceptor;

import java.util.Set;

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
	 * What the properties and the method are of, for one call.
	 */
	Object root(Call call);

}
