package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import io.github.ratelimit.RateLimitConfigurationException;

import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/**
 * Choice of the style of a method by its return type.
 */
final class CallStyleChoice {

	private CallStyleChoice() {
	}

	/**
	 * Return the style of a method.
	 * @throws RateLimitConfigurationException if its return type cannot carry a denial
	 */
	static CallStyle of(Method method) {
		if (KotlinDetector.isSuspendingFunction(method)) {
			if (!SuspendingFunctions.areAdapted()) {
				throw refused(method, "Spring proxies suspending functions only with coroutines for Reactor",
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
