package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Scope of the expressions that are evaluated when a web request has ended: the request,
 * and the status of its response.
 *
 * @param variables the path variables of the rule, if it has a path pattern
 */
record EndedRequestScope(@Nullable PathVariables variables) implements ExpressionScope {

	@Override
	public Parameters parameters() {
		return Parameters.NONE;
	}

	@Override
	public Set<String> properties() {
		return EndedRequestExpressionRoot.ALL_PROPERTIES;
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return (this.variables != null) ? this.variables.names() : null;
	}

	@Override
	public Object root(Call call) {
		return new EndedRequestExpressionRoot(call, this.variables);
	}

}
