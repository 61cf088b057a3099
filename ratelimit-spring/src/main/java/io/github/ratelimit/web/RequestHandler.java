package io.github.ratelimit.web;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.BridgeMethodResolver;
import org.springframework.web.method.HandlerMethod;

/**
 * Handler of a request, as the handler mapping has chosen it.
 *
 * @since 0.1.0
 */
public final class RequestHandler {

	private RequestHandler() {
	}

	/**
	 * Return whether a handler is a method.
	 * @param handler the handler, maybe by a method of an interface
	 * @param method a method of a controller's class
	 * @return {@code false} if the method can only be called by other code
	 */
	public static boolean is(@Nullable Object handler, Method method) {
		return handler instanceof HandlerMethod handling
				&& BridgeMethodResolver.getMostSpecificMethod(handling.getMethod(), method.getDeclaringClass())
					.equals(method);
	}

}
