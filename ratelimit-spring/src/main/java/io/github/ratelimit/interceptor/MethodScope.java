package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Scope of the expressions of a method: its parameters, its call, and the web request of
 * the call.
 *
 * @param method the method, of the target's class
 * @param targetClass the target's class
 * @param parameters its parameters
 * @param requestParameters those of them that are read from the request, {@code null} if
 * the method handles none
 */
record MethodScope(Method method, Class<?> targetClass, Parameters parameters,
		@Nullable RequestParameters requestParameters) implements ExpressionScope {

	MethodScope(Method method) {
		this(method, method.getDeclaringClass(), method);
	}

	/**
	 * Create a new scope.
	 * @param method the method, of the target's class
	 * @param targetClass the target's class
	 * @param annotated the method that the annotation is written on, whose parameters may
	 * have other names
	 */
	MethodScope(Method method, Class<?> targetClass, Method annotated) {
		this(method, targetClass, new Parameters(method, annotated));
	}

	private MethodScope(Method method, Class<?> targetClass, Parameters parameters) {
		this(method, targetClass, parameters, RequestParameters.of(method, parameters));
	}

	@Override
	public @Nullable String requestPart(int parameter) {
		return (this.requestParameters != null) ? this.requestParameters.part(parameter) : null;
	}

	@Override
	public Set<String> properties() {
		return CallExpressionRoot.PROPERTIES;
	}

	@Override
	public @Nullable Set<String> pathVariables(ExpressionBeans beans) {
		return HandlerPath.variables(this.method, this.targetClass, beans);
	}

	@Override
	public Object root(Call call) {
		return new CallExpressionRoot(this.method, call);
	}

}
