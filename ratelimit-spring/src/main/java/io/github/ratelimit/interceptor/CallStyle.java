package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Style in which a limited call is decided: while its caller waits or, if the method
 * returns an asynchronous type, without blocking.
 */
interface CallStyle {

	/**
	 * Decide a call, then proceed or deny.
	 * @param call the call
	 * @param environment the environment of the call
	 * @return the result for the caller
	 */
	@Nullable Object invoke(LimitedCall call, CallEnvironment environment) throws Throwable;

	/**
	 * Return whether the method may run on another thread than its caller's.
	 * @param mayWait whether a call may wait for its turn
	 */
	default boolean leavesThread(boolean mayWait) {
		return true;
	}

	/**
	 * Return the style of a method.
	 * @throws RateLimitConfigurationException if its return type cannot carry a denial
	 */
	static CallStyle of(Method method) {
		if (SuspendingFunctions.isOne(method)) {
			if (!SuspendingFunctions.areAdapted()) {
				throw refused(method, "Spring proxies suspending functions only with coroutines for Reactor",
						"Add the dependency org.jetbrains.kotlinx:kotlinx-coroutines-reactor.");
			}
			return SuspendingFunctions.style(method);
		}
		Class<?> type = method.getReturnType();
		if (StageStyle.fits(type)) {
			return new StageStyle();
		}
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		if (adapter == null) {
			return new BlockingStyle();
		}
		if (!type.isAssignableFrom(adapter.getReactiveType())) {
			throw refused(method, "a denial cannot be returned as " + type.getSimpleName(),
					"Return " + adapter.getReactiveType().getSimpleName() + '.');
		}
		return new ReactiveStyle(adapter);
	}

	private static RateLimitConfigurationException refused(Method method, String reason, String action) {
		return new RateLimitConfigurationException(
				"Invalid @RateLimited on " + ElementNames.describe(method) + ": " + reason + '.', action);
	}

}
