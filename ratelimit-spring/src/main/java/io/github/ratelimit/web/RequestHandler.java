package io.github.ratelimit.web;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

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

	public static boolean is(@Nullable Object handler, Method method) {
		return handler instanceof HandlerMethod handling
				&& BridgeMethodResolver.getMostSpecificMethod(handling.getMethod(), method.getDeclaringClass())
					.equals(method);
	}

	public static @Nullable Object pathVariable(String name, Function<String, @Nullable Object> attributes,
			List<String> names) {
		for (String each : names) {
			if (attributes.apply(each) instanceof Map<?, ?> variables && variables.get(name) != null) {
				return variables.get(name);
			}
		}
		return null;
	}

}
