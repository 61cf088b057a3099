package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Compiled limited method.
 *
 * @param method the method of the target's class
 * @param targetClass the class of the objects it is called on
 * @param settles whether a rule settles the units of its calls when they end
 * @param returnsResponse whether its result is a response, which Spring writes later
 * @param plain the limiter of its only rule, if a call demands nothing but a key of its
 * arguments
 * @param plainKey that key
 */
record LimitedMethod(Method method, Class<?> targetClass, CallStyle style, List<RateLimitOperation> operations,
		boolean settles, boolean returnsResponse, @Nullable RuleLimiter plain, @Nullable PlainKey plainKey) {

	LimitedMethod(Method method, Class<?> targetClass, CallStyle style, List<RateLimitOperation> operations) {
		this(method, targetClass, style, operations, (operations.size() == 1) ? operations.get(0).plainKey() : null);
	}

	private LimitedMethod(Method method, Class<?> targetClass, CallStyle style, List<RateLimitOperation> operations,
			@Nullable PlainKey plainKey) {
		this(method, targetClass, style, operations, settles(operations), ReturnedResponse.isOf(method),
				(plainKey != null) ? operations.get(0).limiter() : null, plainKey);
	}

	private static boolean settles(List<RateLimitOperation> operations) {
		for (RateLimitOperation operation : operations) {
			if (operation.end() != null) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return the rule of the method, if its key and one unit are all that a call demands
	 * and nothing else has to be asked about it now.
	 */
	@Nullable PlainRule plainRule() {
		return (this.plain != null) ? this.plain.plain() : null;
	}

	String plainKey(MethodInvocation invocation) {
		try {
			return this.plainKey.read(invocation.getArguments());
		}
		catch (RuntimeException ex) {
			throw this.operations.get(0)
				.keyFailure(new Call(invocation.getThis(), invocation.getArguments(), null), ex);
		}
	}

	Demands demands(Call call) {
		if (this.operations.size() == 1) {
			Demand demand = this.operations.get(0).demand(call);
			return (demand != null) ? demand : Demands.NONE;
		}
		List<Demand> demands = new ArrayList<>(this.operations.size());
		for (RateLimitOperation operation : this.operations) {
			Demand demand = operation.demand(call);
			if (demand != null) {
				demands.add(demand);
			}
		}
		return Demands.of(demands);
	}

	List<EndPolicy.OfDemand> ends(Demands demands) {
		if (!this.settles) {
			return List.of();
		}
		List<EndPolicy.OfDemand> ends = new ArrayList<>();
		for (Demand demand : demands.asList()) {
			for (RateLimitOperation operation : this.operations) {
				if (operation.end() != null && operation.limiter().rule().name().equals(demand.rule().name())) {
					ends.add(new EndPolicy.OfDemand(demand, operation.end()));
				}
			}
		}
		return ends;
	}

	@Nullable Fallback fallback(Decision denial) {
		for (RateLimitOperation operation : this.operations) {
			if (operation.limiter().rule().name().equals(denial.rule())) {
				return operation.fallback();
			}
		}
		return null;
	}

	boolean leavesThread() {
		boolean mayWait = this.operations.stream()
			.anyMatch((operation) -> !operation.limiter().rule().maxWait().isZero());
		return !this.operations.isEmpty() && this.style.leavesThread(mayWait);
	}

	/**
	 * Response that a method returns to Spring's web frameworks. It is recognized by
	 * names, since they are optional.
	 */
	private static final class ReturnedResponse {

		private static final Set<String> RESPONSES = Set.of(
				"org.springframework.web.context.request.async.DeferredResult",
				"org.springframework.web.context.request.async.WebAsyncTask",
				"org.springframework.web.reactive.function.server.ServerResponse",
				"org.springframework.web.servlet.function.ServerResponse",
				"org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
				"org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

		private ReturnedResponse() {
		}

		/**
		 * Return whether the result of a method is a response of Spring's web frameworks,
		 * which they write after the method has returned, or later provides or contains
		 * one.
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

}
