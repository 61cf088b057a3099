package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimitConfigurationException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Style in which a limited call is decided: while its caller waits or, if the method
 * returns an asynchronous type, without blocking.
 */
interface CallStyle {

	/**
	 * Return the style of a method, by its return type.
	 * @throws RateLimitConfigurationException if its return type cannot carry a denial
	 */
	static CallStyle of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			if (!SuspendingFunctions.areAdapted()) {
				throw ElementNames.invalid(method,
						"Spring proxies suspending functions only with coroutines for Reactor.",
						"Add the dependency org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
			}
			return ReactiveStyle.ofSuspending(method);
		}
		Class<?> type = method.getReturnType();
		if (CompletionStage.class.isAssignableFrom(type) && type.isAssignableFrom(CompletableFuture.class)) {
			return new StageStyle();
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null) {
			return new BlockingStyle();
		}
		if (!type.isAssignableFrom(adapter.getReactiveType())) {
			throw ElementNames.invalid(method, "a denial cannot be returned as " + type.getSimpleName() + '.',
					"Return " + adapter.getReactiveType().getSimpleName() + '.');
		}
		return new ReactiveStyle(adapter);
	}

	/**
	 * Decide a call, then proceed or deny.
	 * @return the result for the caller
	 */
	@Nullable Object invoke(LimitedMethod method, MethodInvocation invocation, CallEnvironment environment) throws Throwable;

	/**
	 * Return whether the method may run on another thread than its caller's.
	 * @param mayWait whether a call may wait for its turn
	 */
	default boolean leavesThread(boolean mayWait) {
		return true;
	}

}
