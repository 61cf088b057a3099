package io.github.ratelimit.interceptor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The method that is called instead of a denied one.
 */
final class Fallback {

	private final Method method;

	private final boolean takesException;

	private final boolean suspending;

	private Fallback(Method method, boolean takesException) {
		this.method = method;
		this.takesException = takesException;
		this.suspending = SuspendingFunctions.isOne(method);
		ReflectionUtils.makeAccessible(method);
	}

	/**
	 * Find the fallback of a method.
	 * @throws RateLimitConfigurationException if there is none that fits
	 */
	static Fallback of(Method limited, Class<?> targetClass, String name) {
		Class<?>[] same = limited.getParameterTypes();
		Class<?>[] withException = with(same, RateLimitExceededException.class, SuspendingFunctions.isOne(limited));
		List<Class<?>> types = WrittenMethods.types(targetClass);
		for (Class<?>[] parameters : List.of(withException, same)) {
			for (Class<?> type : types) {
				Method method = ReflectionUtils.findMethod(type, name, parameters);
				if (method != null && ClassUtils.isAssignable(limited.getReturnType(), method.getReturnType())) {
					return new Fallback(method, parameters == withException);
				}
			}
		}
		throw new RateLimitConfigurationException(
				"Invalid @RateLimited on " + ElementNames.describe(limited) + ": there is no fallback \"" + name
						+ "\" that fits.",
				"Add " + limited.getReturnType().getSimpleName() + ' ' + name + parameters(same) + " to "
						+ ElementNames.describe(types.get(0))
						+ "; a last parameter RateLimitExceededException is optional.");
	}

	private static <T> T[] with(T[] elements, T last, boolean suspending) {
		if (suspending) {
			return SuspendingFunctions.insert(elements, last);
		}
		T[] all = Arrays.copyOf(elements, elements.length + 1);
		all[elements.length] = last;
		return all;
	}

	private static String parameters(Class<?>[] types) {
		return '(' + String.join(", ", Arrays.stream(types).map(Class::getSimpleName).toList()) + ')';
	}

	/**
	 * The method that is called.
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
