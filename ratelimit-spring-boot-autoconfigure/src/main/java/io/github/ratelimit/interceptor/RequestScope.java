package io.github.ratelimit.interceptor;

import java.util.Set;

/**
 * Scope of the expressions of web requests.
 */
record RequestScope() implements ExpressionScope {

	@Override
	public Parameters parameters() {
		return Parameters.NONE;
	}

	@Override
	public Set<String> properties() {
		return RequestExpressionRoot.PROPERTIES;
	}

	@Override
	public Object root(Call call) {
		return new RequestExpressionRoot(call);
	}

}
