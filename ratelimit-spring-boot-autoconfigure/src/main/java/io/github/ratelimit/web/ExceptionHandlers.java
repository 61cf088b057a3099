package io.github.ratelimit.web;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitException;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationContext;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;

/**
 * Selection of the handler for an exception of the rate limiter. A handler of the
 * application is selected if it names the exception and applies to the controller that
 * failed, otherwise the advice of the rate limiter. Catch-all handlers are skipped,
 * regardless of their order.
 *
 * @since 0.1.0
 */
public final class ExceptionHandlers {

	private static final int MOST_CAUSES = 32;

	private final Map<Handled, Boolean> handled = new ConcurrentHashMap<>();

	private final Supplier<List<ControllerAdviceBean>> advices;

	/**
	 * Create a new selection.
	 * @param context the context of the advices
	 */
	public ExceptionHandlers(ApplicationContext context) {
		this.advices = SingletonSupplier.of(() -> ControllerAdviceBean.findAnnotatedBeans(context));
	}

	/**
	 * Select the handler of an exception. An exception of the JDK, such as those of
	 * {@code join()} or a proxy, is replaced by its cause. So is any other that is caused
	 * by one of the rate limiter, unless a handler names it.
	 * @param handler the method that failed, or {@code null} if it is not known
	 * @param thrown the exception
	 * @return the handler, or {@code null} if there is none or the exception is not
	 * caused by the rate limiter
	 */
	public @Nullable Match find(@Nullable HandlerMethod handler, Throwable thrown) {
		if (failureIn(thrown) == null) {
			return null;
		}
		Throwable exception = thrown;
		while (!(exception instanceof RateLimitException)) {
			Match naming = isCarrier(exception) ? null
					: find(handler, exception, true, ExceptionHandlers::isOfApplication);
			if (naming != null) {
				return naming;
			}
			exception = exception.getCause();
		}
		Match naming = find(handler, exception, true, ExceptionHandlers::isOfApplication);
		Match ours = (naming != null) ? naming : find(null, exception, true, ExceptionHandlers::isOurs);
		return (ours != null) ? ours : find(handler, exception, false, ExceptionHandlers::isOfApplication);
	}

	/**
	 * Find an exception of the rate limiter.
	 * @param thrown an exception
	 * @return the exception itself or the nearest of its causes, if there is one
	 */
	public static @Nullable RateLimitException failureIn(Throwable thrown) {
		Throwable exception = thrown;
		for (int i = 0; i < MOST_CAUSES && exception != null; i++) {
			if (exception instanceof RateLimitException ours) {
				return ours;
			}
			exception = exception.getCause();
		}
		return null;
	}

	/**
	 * Return whether a method is a catch-all exception handler, which handles exceptions
	 * of the rate limiter without naming them.
	 * @param method a method
	 * @return {@code false} if it names them or others, or is no exception handler
	 */
	public static boolean handlesAll(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, ExceptionHandler.class)
				&& Handled.by(method).stream().anyMatch(Handled::isOfAll)
				&& Handled.by(method).stream().noneMatch(RateLimitException.class::isAssignableFrom);
	}

	private static boolean isCarrier(Throwable exception) {
		String type = exception.getClass().getName();
		return type.startsWith("java.") || type.equals("jakarta.servlet.ServletException");
	}

	private @Nullable Match find(@Nullable HandlerMethod handler, Throwable exception, boolean byName,
			Predicate<Class<?>> considered) {
		Class<?> failed = (handler != null) ? handler.getBeanType() : null;
		if (handler != null && handles(failed, exception, byName)) {
			return new Match(handler.createWithResolvedBean().getBean(), exception);
		}
		for (ControllerAdviceBean advice : this.advices.get()) {
			Class<?> type = advice.getBeanType();
			if (type != null && considered.test(type) && handles(type, exception, byName)
					&& advice.isApplicableToBeanType(failed)) {
				return new Match(advice.resolveBean(), exception);
			}
		}
		return null;
	}

	private static boolean isOfApplication(Class<?> advice) {
		return !isOurs(advice) && !LeadingAdvice.class.isAssignableFrom(advice);
	}

	private static boolean isOurs(Class<?> advice) {
		return advice == RateLimitAdvice.class;
	}

	private boolean handles(Class<?> type, Throwable exception, boolean byName) {
		return this.handled.computeIfAbsent(new Handled(type, exception.getClass(), byName), Handled::holds);
	}

	/**
	 * Handler of an exception that it names.
	 *
	 * @param advice the controller or the advice whose {@code @ExceptionHandler} answers
	 * @param exception the exception that it handles
	 * @since 0.1.0
	 */
	public record Match(Object advice, Throwable exception) {

		/**
		 * Return a handler method to pass to Spring as the failed one: Spring consults
		 * the exception handlers of the failed class first.
		 * @param method a method, never called on the advice
		 * @return the handler
		 */
		public HandlerMethod asFailed(Method method) {
			return new HandlerMethod(this.advice, method);
		}

	}

	/**
	 * Cache key: whether a class handles an exception.
	 *
	 * @param type the class of a controller or an advice
	 * @param exception the class of the exception
	 * @param byName whether catch-all handlers are ignored
	 */
	private record Handled(Class<?> type, Class<? extends Throwable> exception, boolean byName) {

		boolean holds() {
			ReflectionUtils.MethodFilter handlers = (method) -> AnnotatedElementUtils.hasAnnotation(method,
					ExceptionHandler.class);
			return MethodIntrospector.selectMethods(this.type, handlers)
				.stream()
				.flatMap((method) -> by(method).stream())
				.anyMatch((handled) -> handled.isAssignableFrom(this.exception) && !(this.byName && isOfAll(handled)));
		}

		static boolean isOfAll(Class<?> handled) {
			return handled.isAssignableFrom(RuntimeException.class);
		}

		static List<Class<?>> by(Method method) {
			ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
			boolean written = annotation != null && annotation.value().length > 0;
			return Arrays.asList(written ? annotation.value() : method.getParameterTypes());
		}

	}

}
