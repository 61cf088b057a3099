package io.github.ratelimit.interceptor;

import java.util.Set;

import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * A web request and nothing else.
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
	public StandardEvaluationContext context(Call call) {
		return new StandardEvaluationContext(new RequestExpressionRoot(call));
	}

}
