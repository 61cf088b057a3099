package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What names an expression may use, and what they mean.
 */
interface ExpressionScope {

	/**
	 * What is called {@code #name}.
	 */
	Parameters parameters();

	/**
	 * What a parameter is in the web request.
	 * @param parameter its position
	 * @return {@code header X-Tenant} for example, or {@code null} if it is nothing that
	 * a client sends
	 */
	default @Nullable String requestPart(int parameter) {
		return null;
	}

	/**
	 * What is called just by its name, besides the method {@code header}.
	 */
	Set<String> properties();

	/**
	 * What the properties and the method are of, for one call.
	 */
	Object root(Call call);

}
