package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Scope of the expressions of web requests: the request and, when it has ended, the
 * status of its response.
 *
 * @param variables the path variables of the rule, if it has a path pattern
 * @param hasEnded whether the request has ended
 */
record RequestScope(@Nullable PathVariables variables, boolean hasEnded) implements ExpressionScope {

	@Override
	public Set<String> properties() {
		return this.hasEnded ? EndedRequestExpressionRoot.ALL_PROPERTIES : RequestExpressionRoot.PROPERTIES;
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return (this.variables != null) ? this.variables.names() : null;
	}

	@Override
	public ExpressionScope atEnd() {
		return new RequestScope(this.variables, true);
	}

	@Override
	public Object root(Call call) {
		return this.hasEnded ? new EndedRequestExpressionRoot(call, this.variables)
				: new RequestExpressionRoot(call, this.variables);
	}

}
