package io.github.ratelimit.web.servlet;

import java.lang.reflect.Method;
import java.util.function.Supplier;

import io.github.ratelimit.web.ExceptionHandlers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.util.ReflectionUtils;
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
public final class RateLimitExceptionResolver implements HandlerExceptionResolver, Ordered {

	private static final Method FAILED = ReflectionUtils.findMethod(Object.class, "toString");

	private final ExceptionHandlers exceptionHandlers;

	private final Supplier<HandlerExceptionResolver> resolvers;

	/**
	 * Create a new resolver.
	 * @param exceptionHandlers selects the handler
	 * @param resolvers the resolvers of Spring MVC, which call exception handlers of
	 * controllers and advices
	 */
	public RateLimitExceptionResolver(ExceptionHandlers exceptionHandlers,
			Supplier<HandlerExceptionResolver> resolvers) {
		this.exceptionHandlers = exceptionHandlers;
		this.resolvers = resolvers;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		ExceptionHandlers.Match match = this.exceptionHandlers
			.find((handler instanceof HandlerMethod method) ? method : null, exception);
		if (match == null || !(match.exception() instanceof Exception answered)) {
			return null;
		}
		LimitedResponse.restart(response);
		return this.resolvers.get().resolveException(request, response, match.asFailed(FAILED), answered);
	}

	@Override
	public int getOrder() {
		return -1; // Spring MVC's own have 0
	}

}
