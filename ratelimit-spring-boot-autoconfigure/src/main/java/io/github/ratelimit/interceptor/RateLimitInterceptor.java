package io.github.ratelimit.interceptor;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Lets a call go on, replaces it by its fallback, or throws, as the limits decide. The
 * decision comes before anything of the method happens. Everything it needs is looked up
 * with the first call, since it is made before all other beans.
 *
 * @since 0.1.0
 */
public final class RateLimitInterceptor implements MethodInterceptor {

	private final Supplier<LimitedMethodSource> methods;

	private final Supplier<CallEnvironment> environment;

	/**
	 * Create a new interceptor.
	 * @param methods what limited methods are compiled by
	 * @param limiter the limiter that decides calls
	 * @param contexts who knows the current web request
	 * @param executor where a method goes on whose decision came later; must not run
	 * tasks on the thread that hands them over
	 */
	public RateLimitInterceptor(Supplier<LimitedMethodSource> methods, Supplier<CallLimiter> limiter,
			Supplier<CallContextSource> contexts, Supplier<Executor> executor) {
		this.methods = SingletonSupplier.of(methods);
		this.environment = SingletonSupplier.of(() -> new CallEnvironment(limiter.get(), contexts.get(), executor));
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		Class<?> targetClass = (target != null) ? target.getClass() : invocation.getMethod().getDeclaringClass();
		LimitedMethod method = this.methods.get().get(invocation.getMethod(), targetClass);
		return method.style().invoke(new LimitedCall(method, invocation), this.environment.get());
	}

}
