package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Scope of the expressions of web requests.
 *
 * @param variables the path variables of the rule, if it has a path pattern
 */
record RequestScope(@Nullable PathVariables variables) implements ExpressionScope {

	@Override
	public Parameters parameters() {
		return Parameters.NONE;
	}

	@Override
	public Set<String> properties() {
		return RequestExpressionRoot.PROPERTIES;
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return (this.variables != null) ? this.variables.names() : null;
	}

	@Override
	public Object root(Call call) {
		return new RequestExpressionRoot(call, this.variables);
	}

}
