package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;

import io.github.ratelimit.RateLimitConfigurationException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * When a limited call is decided: while its caller waits, or later, without blocking
 * anybody, when the method returns something that comes later.
 */
interface CallStyle {

	/**
	 * Decide and answer a call.
	 * @param call the call
	 * @param environment the environment of the call
	 * @return what the caller gets
	 */
	@Nullable Object invoke(LimitedCall call, CallEnvironment environment) throws Throwable;

	/**
	 * Whether the method may run on another thread than that of its caller.
	 * @param mayWait whether a call may wait for its turn
	 */
	default boolean leavesThread(boolean mayWait) {
		return true;
	}

	/**
	 * The style of a method.
	 * @throws RateLimitConfigurationException if a denial could not be told as what it
	 * returns
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
			throw refused(method, "a denial cannot be told as " + type.getSimpleName(),
					"Return " + adapter.getReactiveType().getSimpleName() + '.');
		}
		return new ReactiveStyle(adapter);
	}

	private static RateLimitConfigurationException refused(Method method, String reason, String action) {
		return new RateLimitConfigurationException(
				"Invalid @RateLimited on " + ElementNames.describe(method) + ": " + reason + '.', action);
	}

}
