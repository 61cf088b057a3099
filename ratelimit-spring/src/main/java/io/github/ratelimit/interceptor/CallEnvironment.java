package io.github.ratelimit.interceptor;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Environment of limited calls: their compiled methods, the limiter that decides them,
 * their web request, and the threads on which they continue.
 */
final class CallEnvironment {

	private final LimitedMethodSource methods;

	/**
	 * Methods that were called, by target class and {@link Method}. A proxy passes the
	 * same {@link Method} object with each call, so the maps find it by identity.
	 */
	private final Map<Class<?>, Map<Method, LimitedMethod>> called = new ConcurrentHashMap<>();

	private final CallLimiter limiter;

	private final CallContextSource contexts;

	private final Supplier<Executor> executor;

	CallEnvironment(LimitedMethodSource methods, CallLimiter limiter, CallContextSource contexts,
			Supplier<Executor> executor) {
		this.methods = methods;
		this.limiter = limiter;
		this.contexts = contexts;
		this.executor = SingletonSupplier.of(executor);
	}

	/**
	 * Return the limited method of a call.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if one of its
	 * annotations is invalid
	 */
	LimitedMethod method(MethodInvocation call) {
		Object target = call.getThis();
		Class<?> type = (target != null) ? target.getClass() : call.getMethod().getDeclaringClass();
		Map<Method, LimitedMethod> ofType = this.called.get(type);
		LimitedMethod known = (ofType != null) ? ofType.get(call.getMethod()) : null;
		return (known != null) ? known : first(call.getMethod(), type);
	}

	private LimitedMethod first(Method method, Class<?> type) {
		LimitedMethod limited = this.methods.get(method, type);
		this.called.computeIfAbsent(type, (unknown) -> new ConcurrentHashMap<>()).put(method, limited);
		return limited;
	}

	CallLimiter limiter() {
		return this.limiter;
	}

	/**
	 * Return the web request of the current thread, or of the call that continues on it.
	 */
	@Nullable CallContext context() {
		CallContext current = this.contexts.current();
		return (current != null) ? current : CallerContext.request();
	}

	/**
	 * Return the executor on which a call continues after its wait: threads that may
	 * block, with the context of the current one.
	 */
	Executor continuation(@Nullable CallContext context) {
		return CallerContext.capture(this.executor.get(), context);
	}

}
