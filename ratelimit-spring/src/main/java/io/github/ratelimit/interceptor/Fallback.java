package io.github.ratelimit.interceptor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Method that is called instead of a denied one.
 */
final class Fallback {

	private final Method method;

	private final boolean takesException;

	private final boolean suspending;

	private Fallback(Method method, boolean takesException) {
		this.method = method;
		this.takesException = takesException;
		this.suspending = KotlinDetector.isSuspendingFunction(method);
		ReflectionUtils.makeAccessible(method);
	}

	/**
	 * Find the fallback of a method.
	 * @throws RateLimitConfigurationException if there is none that fits
	 */
	static Fallback of(Method limited, Class<?> targetClass, String name) {
		List<Class<?>> types = WrittenMethods.types(targetClass);
		for (Class<?>[] parameters : signatures(limited)) {
			for (Class<?> type : types) {
				Method method = ReflectionUtils.findMethod(type, name, parameters);
				if (method != null && ClassUtils.isAssignable(limited.getReturnType(), method.getReturnType())) {
					return new Fallback(method, parameters.length > limited.getParameterCount());
				}
			}
		}
		throw new FallbackMismatch(limited, name, types).exception();
	}

	/**
	 * Return the parameter types that a fallback may have, the preferred ones first.
	 */
	static List<Class<?>[]> signatures(Method limited) {
		Class<?>[] same = limited.getParameterTypes();
		return List.of(with(same, RateLimitExceededException.class, KotlinDetector.isSuspendingFunction(limited)),
				same);
	}

	private static <T> T[] with(T[] elements, T last, boolean suspending) {
		if (suspending) {
			return SuspendingFunctions.insert(elements, last);
		}
		T[] all = Arrays.copyOf(elements, elements.length + 1);
		all[elements.length] = last;
		return all;
	}

	/**
	 * Return the method that is called.
	 */
	Method method() {
		return this.method;
	}

	@Nullable Object invoke(@Nullable Object target, @Nullable Object[] arguments, RateLimitExceededException denial)
			throws Throwable {
		@Nullable Object[] all = this.takesException ? with(arguments, denial, this.suspending) : arguments;
		if (this.suspending) {
			return SuspendingFunctions.invoke(this.method, target, all);
		}
		try {
			return this.method.invoke(target, all);
		}
		catch (InvocationTargetException ex) {
			throw ex.getTargetException();
		}
	}

}
