package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Set;

import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.support.StandardEvaluationContext;

/**
 * The parameters of a method, its call, and the web request the call belongs to.
 *
 * @param method the method, of the target's class
 * @param parameters its parameters
 */
record MethodScope(Method method, Parameters parameters) implements ExpressionScope {

	private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

	MethodScope(Method method) {
		this(method, new Parameters(method));
	}

	@Override
	public Set<String> properties() {
		return CallExpressionRoot.PROPERTIES;
	}

	@Override
	public StandardEvaluationContext context(Call call) {
		return new MethodBasedEvaluationContext(new CallExpressionRoot(this.method, call), this.method,
				call.arguments(), NAMES);
	}

}
