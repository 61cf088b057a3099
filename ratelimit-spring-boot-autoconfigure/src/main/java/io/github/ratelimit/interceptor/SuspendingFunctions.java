package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/**
 * Kotlin's suspending functions. Spring's proxies turn them into publishers before
 * interceptors see them, and back behind them. Their last parameter is the continuation.
 */
final class SuspendingFunctions {

	private static final boolean ADAPTED = ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt",
			SuspendingFunctions.class.getClassLoader());

	private static final String FLOW = "kotlinx.coroutines.flow.Flow";

	private SuspendingFunctions() {
	}

	static boolean isOne(Method method) {
		return KotlinDetector.isSuspendingFunction(method);
	}

	/**
	 * Whether Spring has what it turns them into publishers with.
	 */
	static boolean areAdapted() {
		return ADAPTED;
	}

	static CallStyle style(Method method) {
		boolean flow = FLOW.equals(new MethodParameter(method, -1).getParameterType().getName());
		return flow ? ReactiveStyle.many() : ReactiveStyle.one();
	}

	/**
	 * Call a function that is no proxy's.
	 * @return the publisher that interceptors see of a proxy's
	 */
	static Object invoke(Method method, @Nullable Object target, @Nullable Object[] arguments) {
		return CoroutinesUtils.invokeSuspendingFunction(method, Objects.requireNonNull(target), arguments);
	}

	/**
	 * An array with one more element, before the continuation.
	 */
	static <T> T[] insert(T[] elements, T added) {
		T[] all = Arrays.copyOf(elements, elements.length + 1);
		all[elements.length] = all[elements.length - 1];
		all[elements.length - 1] = added;
		return all;
	}

}
