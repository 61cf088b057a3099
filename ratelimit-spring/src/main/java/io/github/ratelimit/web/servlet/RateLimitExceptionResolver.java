package io.github.ratelimit.web.servlet;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.RateLimitAdvice;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.core.Ordered;
import org.springframework.http.MediaType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.HttpMediaTypeNotAcceptableException;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Resolver that dispatches an exception of the rate limiter to its
 * {@linkplain ExceptionHandlers handler}, bypassing catch-all handlers, which would turn
 * a denial into an error.
 *
 * @since 0.1.0
 */
public record RateLimitExceptionResolver(ExceptionHandlers exceptionHandlers,
		Supplier<HandlerExceptionResolver> resolvers,
		Supplier<ContentNegotiationManager> mediaTypes) implements HandlerExceptionResolver, Ordered {

	private static final Method FAILED = ReflectionUtils.findMethod(Object.class, "toString");

	public RateLimitExceptionResolver {
		mediaTypes = SingletonSupplier.of(mediaTypes);
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		RateLimitException failure = ExceptionHandlers.failureIn(exception);
		if (failure == null) {
			return null;
		}
		ServletWebRequest current = new ServletWebRequest(request, response);
		ExceptionHandlers.Match match = this.exceptionHandlers
			.find((handler instanceof HandlerMethod method) ? method : null, exception, requested(current));
		if (match == null || !(match.exception() instanceof Exception answered)) {
			return null;
		}
		if (response.isCommitted() && match.advice() instanceof RateLimitAdvice) {
			throw failure;
		}
		LimitedResponse.restart(response);
		RequestAttributes bound = RequestContextHolder.getRequestAttributes();
		RequestContextHolder.setRequestAttributes((bound != null) ? bound : current);
		LocaleContext language = LocaleContextHolder.getLocaleContext();
		LocaleContextHolder.setLocaleContext((language != null) ? language : request::getLocale);
		try {
			boolean hasBegun = request.isAsyncStarted();
			ModelAndView answer = this.resolvers.get()
				.resolveException(request, response, failed(handler, match), answered);
			// Nobody else ends what the failed handler has begun.
			if (hasBegun && request.isAsyncStarted() && answer != null && answer.isEmpty()) {
				request.getAsyncContext().complete();
			}
			return answer;
		}
		finally {
			LocaleContextHolder.setLocaleContext(language);
			RequestContextHolder.setRequestAttributes(bound);
		}
	}

	private static HandlerMethod failed(@Nullable Object handler, ExceptionHandlers.Match match) {
		return (handler instanceof HandlerMethod method) ? new FailedMethod(method, match.advice())
				: new HandlerMethod(match.advice(), FAILED);
	}

	private List<MediaType> requested(NativeWebRequest request) {
		try {
			return this.mediaTypes.get().resolveMediaTypes(request);
		}
		catch (HttpMediaTypeNotAcceptableException ex) {
			return List.of(MediaType.ALL);
		}
	}

	@Override
	public int getOrder() {
		return -1; // Spring MVC's own have 0
	}

	/**
	 * The handler method that failed, as exception handlers receive it, but of the advice
	 * that answers: Spring MVC consults the exception handlers of its class first.
	 */
	private static final class FailedMethod extends HandlerMethod {

		private final Object advice;

		FailedMethod(HandlerMethod failed, Object advice) {
			super(failed);
			this.advice = advice;
		}

		@Override
		public Object getBean() {
			return this.advice;
		}

		@Override
		public Class<?> getBeanType() {
			return ClassUtils.getUserClass(this.advice);
		}

	}

}
