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
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMappingInfo;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/**
 * Selection of the handler for an exception of the rate limiter. A handler of the
 * application is selected if it names the exception and applies to the controller that
 * failed and produces what the client accepts, otherwise the advice of the rate limiter.
 * Catch-all handlers are skipped, regardless of their order.
 *
 * @since 0.1.0
 */
public final class ExceptionHandlers {

	private static final int MOST_CAUSES = 32;

	private final Map<Class<?>, ExceptionHandlerMethodResolver> resolvers = new ConcurrentHashMap<>();

	private final Supplier<List<ControllerAdviceBean>> advices;

	public ExceptionHandlers(ApplicationContext context) {
		this.advices = SingletonSupplier.of(() -> ControllerAdviceBean.findAnnotatedBeans(context));
	}

	/**
	 * Select the handler of an exception. An exception of the JDK, such as those of
	 * {@code join()} or a proxy, is replaced by its cause. So is any other that is caused
	 * by one of the rate limiter, unless a handler names it.
	 * @param handler the method that failed, or {@code null} if it is not known
	 * @param requested the media types that the client accepts
	 * @return the handler, or {@code null} if there is none or the exception is not
	 * caused by the rate limiter
	 */
	public @Nullable Match find(@Nullable HandlerMethod handler, Throwable thrown, List<MediaType> requested) {
		if (failureIn(thrown) == null) {
			return null;
		}
		// ends at the failure that was just found among the causes
		for (Throwable exception = thrown;; exception = exception.getCause()) {
			Match naming = isCarrier(exception) ? null
					: find(handler, exception, requested, true, ExceptionHandlers::isOfApplication);
			if (naming != null) {
				return naming;
			}
			if (exception instanceof RateLimitException) {
				Match ours = find(null, exception, requested, true, ExceptionHandlers::isOurs);
				return (ours != null) ? ours
						: find(handler, exception, requested, false, ExceptionHandlers::isOfApplication);
			}
		}
	}

	/**
	 * Return whether the application answers an exception of the rate limiter by a
	 * handler that names it.
	 * @param failed the class of the handler that failed, or {@code null} for a request
	 * that fails before
	 * @return {@code false} if the advice of the rate limiter answers it
	 */
	public boolean isNamed(Class<? extends RateLimitException> failure, @Nullable Class<?> failed) {
		List<MediaType> any = List.of(MediaType.ALL);
		return (failed != null && handles(failed, failure, any, true))
				|| advice(failed, failure, any, true, ExceptionHandlers::isOfApplication) != null;
	}

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
	 * @return {@code false} if it names them or others, or is no exception handler
	 */
	public static boolean handlesAll(Method method) {
		return AnnotatedElementUtils.hasAnnotation(method, ExceptionHandler.class)
				&& handled(method).stream().anyMatch(ExceptionHandlers::isOfAll)
				&& handled(method).stream().noneMatch(RateLimitException.class::isAssignableFrom);
	}

	/**
	 * Return whether the exception handlers of a class get no exception of the rate
	 * limiter, because Spring consults the {@link LeadingAdvice} first. Those of
	 * controllers do.
	 */
	public boolean areBehindLeadingAdvice(Class<?> handlers) {
		boolean isBehind = false;
		for (ControllerAdviceBean advice : this.advices.get()) {
			Class<?> type = advice.getBeanType();
			isBehind |= type != null && LeadingAdvice.class.isAssignableFrom(type);
			if (isBehind && type != null && handlers.isAssignableFrom(type)) {
				return true;
			}
		}
		return false;
	}

	private static boolean isCarrier(Throwable exception) {
		String type = exception.getClass().getName();
		return type.startsWith("java.") || type.equals("jakarta.servlet.ServletException");
	}

	private @Nullable Match find(@Nullable HandlerMethod handler, Throwable exception, List<MediaType> requested,
			boolean byName, Predicate<Class<?>> considered) {
		Class<?> failed = (handler != null) ? handler.getBeanType() : null;
		Class<? extends Throwable> thrown = exception.getClass();
		if (handler != null && handles(failed, thrown, requested, byName)) {
			return new Match(handler.createWithResolvedBean().getBean(), exception);
		}
		ControllerAdviceBean advice = advice(failed, thrown, requested, byName, considered);
		return (advice != null) ? new Match(advice.resolveBean(), exception) : null;
	}

	private @Nullable ControllerAdviceBean advice(@Nullable Class<?> failed, Class<? extends Throwable> thrown,
			List<MediaType> requested, boolean byName, Predicate<Class<?>> considered) {
		for (ControllerAdviceBean advice : this.advices.get()) {
			Class<?> type = advice.getBeanType();
			if (type != null && considered.test(type) && handles(type, thrown, requested, byName)
					&& advice.isApplicableToBeanType(failed)) {
				return advice;
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

	private boolean handles(Class<?> type, Class<? extends Throwable> thrown, List<MediaType> requested,
			boolean byName) {
		ExceptionHandlerMethodResolver resolver = this.resolvers.computeIfAbsent(type,
				ExceptionHandlerMethodResolver::new);
		for (MediaType mediaType : requested) {
			ExceptionHandlerMappingInfo handler = resolver.resolveExceptionMappingByExceptionType(thrown, mediaType);
			if (handler != null) {
				return !byName || handler.getExceptionTypes()
					.stream()
					.anyMatch((handled) -> handled.isAssignableFrom(thrown) && !isOfAll(handled));
			}
		}
		return false;
	}

	private static boolean isOfAll(Class<?> handled) {
		return handled.isAssignableFrom(RuntimeException.class);
	}

	private static List<Class<?>> handled(Method method) {
		ExceptionHandler annotation = AnnotatedElementUtils.findMergedAnnotation(method, ExceptionHandler.class);
		boolean written = annotation != null && annotation.value().length > 0;
		return Arrays.asList(written ? annotation.value() : method.getParameterTypes());
	}

	public record Match(Object advice, Throwable exception) {

	}

	/**
	 * Advice that comes first and dispatches an exception to its
	 * {@linkplain ExceptionHandlers handler}. It is never selected as that handler
	 * itself.
	 */
	public interface LeadingAdvice extends Ordered {

		@Override
		default int getOrder() {
			return HIGHEST_PRECEDENCE;
		}

	}

}
