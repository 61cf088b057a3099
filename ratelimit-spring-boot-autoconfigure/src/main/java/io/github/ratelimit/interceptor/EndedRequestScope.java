package io.github.ratelimit.interceptor;

import java.util.Set;

/**
 * Scope of the expressions that are evaluated when a web request has ended: the request,
 * and the status of its response.
 */
record EndedRequestScope() implements ExpressionScope {

	@Override
	public Parameters parameters() {
		return Parameters.NONE;
	}

	@Override
	public Set<String> properties() {
		return EndedRequestExpressionRoot.ALL_PROPERTIES;
	}

	@Override
	public Object root(Call call) {
		return new EndedRequestExpressionRoot(call);
	}

}
