package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Root object of the expressions of an annotated method.
 *
 * @since 0.1.0
 */
public final class CallExpressionRoot extends RequestExpressionRoot {

	static final Set<String> PROPERTIES = Set.of("method", "methodName", "target", "targetClass", "args", "ip",
			"principal", "path");

	private final Method method;

	private final Call call;

	CallExpressionRoot(Method method, Call call) {
		super(call, null);
		this.method = method;
		this.call = call;
	}

	/**
	 * Return the limited method.
	 */
	public Method getMethod() {
		return this.method;
	}

	/**
	 * Return the name of the limited method.
	 */
	public String getMethodName() {
		return this.method.getName();
	}

	/**
	 * Return the object on which the method is called.
	 * @return the bean, without its proxy
	 */
	public @Nullable Object getTarget() {
		return this.call.target();
	}

	/**
	 * Return the class of the object on which the method is called.
	 */
	public Class<?> getTargetClass() {
		Object target = this.call.target();
		return (target != null) ? target.getClass() : this.method.getDeclaringClass();
	}

	/**
	 * Return the arguments of the call.
	 */
	public @Nullable Object[] getArgs() {
		@Nullable Object[] arguments = this.call.arguments();
		int count = this.method.getParameterCount();
		return (arguments.length > count) ? Arrays.copyOf(arguments, count) : arguments;
	}

}
