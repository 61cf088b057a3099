package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.core.CoroutinesUtils;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/**
 * Kotlin's suspending functions. Spring's proxies adapt them to publishers for
 * interceptors. Their last parameter is the continuation.
 */
final class SuspendingFunctions {

	private static final boolean ADAPTED = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			SuspendingFunctions.class.getClassLoader());

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	private SuspendingFunctions() {
	}

	static boolean areAdapted() {
		return ADAPTED;
	}

	static boolean returnsFlow(Method method) {
		return FLOW.equals(new MethodParameter(method, -1).getParameterType().getName());
	}

	static Type continuation(Method method) {
		Type[] parameters = method.getGenericParameterTypes();
		return parameters[parameters.length - 1];
	}

	/**
	 * Call a function without a proxy.
	 * @return the publisher that interceptors of a proxy would see
	 */
	static Object invoke(Method method, @Nullable Object target, @Nullable Object[] arguments) {
		return CoroutinesUtils.invokeSuspendingFunction(method, Objects.requireNonNull(target), arguments);
	}

}
