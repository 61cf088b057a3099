package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Response that a method returns to Spring's web frameworks. It is recognized by names,
 * since they are optional.
 */
final class ReturnedResponse {

	private static final Set<String> RESPONSES = Set.of("org.springframework.web.context.request.async.DeferredResult",
			"org.springframework.web.context.request.async.WebAsyncTask",
			"org.springframework.web.reactive.function.server.ServerResponse",
			"org.springframework.web.servlet.function.ServerResponse",
			"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
			"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

	private ReturnedResponse() {
	}

	/**
	 * Return whether the result of a method is a response of Spring's web frameworks,
	 * which they write after the method has returned, or later provides or contains one.
	 */
	static boolean isOf(Method method) {
		return isResponse(method.getGenericReturnType()) || (KotlinDetector.isSuspendingFunction(method)
				&& isResponse(SuspendingFunctions.continuation(method)));
	}

	private static boolean isResponse(Type type) {
		if (type instanceof ParameterizedType parameterized) {
			return isResponse(parameterized.getRawType())
					|| Stream.of(parameterized.getActualTypeArguments()).anyMatch(ReturnedResponse::isResponse);
		}
		if (type instanceof WildcardType wildcard) {
			return Stream.of(wildcard.getLowerBounds(), wildcard.getUpperBounds())
				.flatMap(Stream::of)
				.anyMatch(ReturnedResponse::isResponse);
		}
		return type instanceof Class<?> result && isResponse(result);
	}

	private static boolean isResponse(@Nullable Class<?> type) {
		return type != null && (RESPONSES.contains(type.getName()) || isResponse(type.getSuperclass())
				|| Stream.of(type.getInterfaces()).anyMatch(ReturnedResponse::isResponse));
	}

}
