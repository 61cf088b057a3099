package io.github.ratelimit.web;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;

import io.github.ratelimit.RateLimitException;

import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Whether the application itself handles an exception of ours, by name: a handler of all
 * exceptions does not count.
 *
 * @since 0.1.0
 */
public final class OwnExceptionHandlers {

	private final ApplicationContext context;

	OwnExceptionHandlers(ApplicationContext context) {
		this.context = context;
	}

	boolean handle(Class<? extends RateLimitException> exception) {
		return Arrays.stream(this.context.getBeanNamesForAnnotation(ControllerAdvice.class))
			.map((name) -> this.context.getType(name, false))
			.filter((type) -> type != null && !RateLimitAdvice.class.isAssignableFrom(type))
			.anyMatch((type) -> areIn(ClassUtils.getUserClass(type), exception));
	}

	/**
	 * Whether a controller or an advice handles an exception of ours by name.
	 * @param type the class of the controller or advice
	 * @param exception the exception
	 * @return {@code false} if it does not, or handles all exceptions alike
	 */
	public static boolean areIn(Class<?> type, Class<? extends RateLimitException> exception) {
		ReflectionUtils.MethodFilter handlers = (method) -> AnnotatedElementUtils.hasAnnotation(method,
				ExceptionHandler.class);
		return MethodIntrospector.selectMethods(type, handlers)
			.stream()
			.flatMap((method) -> handledBy(method).stream())
			.anyMatch((handled) -> RateLimitException.class.isAssignableFrom(handled)
					&& handled.isAssignableFrom(exception));
	}

	private static List<Class<?>> handledBy(Method method) {
		ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
		boolean written = annotation != null && annotation.value().length > 0;
		return Arrays.asList(written ? annotation.value() : method.getParameterTypes());
	}

}
