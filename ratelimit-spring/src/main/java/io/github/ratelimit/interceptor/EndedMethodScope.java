package io.github.ratelimit.interceptor;

import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Scope of the expressions that are evaluated when a call of a method has ended: the
 * names of its other expressions, and its outcome.
 *
 * @param method the scope of the other expressions
 * @param parameters the parameters of the method, and its outcome
 */
record EndedMethodScope(ExpressionScope method, Parameters parameters) implements ExpressionScope {

	static final String RESULT = "result";

	static final String ERROR = "error";

	EndedMethodScope(ExpressionScope method) {
		this(method, method.parameters().with(RESULT, ERROR));
	}

	@Override
	public Set<String> properties() {
		return this.method.properties();
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return this.method.pathVariables(beans);
	}

	@Override
	public Object root(Call call) {
		return this.method.root(call);
	}

}
