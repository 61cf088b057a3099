package io.github.ratelimit.web.servlet;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.OwnExceptionHandlers;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.core.Ordered;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Leads our exceptions past a controller's own handler for all exceptions, which Spring
 * MVC asks before any advice, and which would make a denial an error. A controller that
 * handles just our exception keeps it.
 *
 * @since 0.1.0
 */
public final class CatchAllBypass implements HandlerExceptionResolver, Ordered {

	private final Map<Caught, Boolean> caught = new ConcurrentHashMap<>();

	private final Supplier<HandlerExceptionResolver> resolvers;

	/**
	 * Create a new bypass.
	 * @param resolvers the resolvers of Spring MVC, which ask the advice
	 */
	public CatchAllBypass(Supplier<HandlerExceptionResolver> resolvers) {
		this.resolvers = resolvers;
	}

	@Override
	public @Nullable ModelAndView resolveException(HttpServletRequest request, HttpServletResponse response,
			@Nullable Object handler, Exception exception) {
		if (exception instanceof RateLimitException ours && handler instanceof HandlerMethod method
				&& isCaught(ClassUtils.getUserClass(method.getBeanType()), ours.getClass())) {
			return this.resolvers.get().resolveException(request, response, null, exception);
		}
		return null;
	}

	private boolean isCaught(Class<?> controller, Class<? extends RateLimitException> exception) {
		return this.caught.computeIfAbsent(new Caught(controller, exception), Caught::byHandlerOfAll);
	}

	@Override
	public int getOrder() {
		return -1; // Spring MVC's own have 0
	}

	private record Caught(Class<?> controller, Class<? extends RateLimitException> exception) {

		boolean byHandlerOfAll() {
			return new ExceptionHandlerMethodResolver(this.controller)
				.resolveMethodByExceptionType(this.exception) != null
					&& !OwnExceptionHandlers.areIn(this.controller, this.exception);
		}

	}

}
