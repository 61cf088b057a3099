package io.github.ratelimit.interceptor;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.util.function.SingletonSupplier;

/**
 * Interceptor of limited methods. It decides a call before the method runs, then
 * proceeds, calls the fallback, or throws. Its dependencies are looked up by the first
 * call, since it is created before all other beans.
 *
 * @since 0.1.0
 */
public final class RateLimitInterceptor implements MethodInterceptor {

	private final Supplier<LimitedMethodSource> methods;

	private final Supplier<CallStyle.Environment> environment;

	/**
	 * Create a new interceptor.
	 * @param methods compiles limited methods
	 * @param executor runs methods after an asynchronous decision; must not run tasks on
	 * the submitting thread
	 */
	public RateLimitInterceptor(Supplier<LimitedMethodSource> methods, Supplier<CallLimiter> limiter,
			Supplier<CallContextSource> contexts, Supplier<Executor> executor) {
		this.methods = SingletonSupplier.of(methods);
		this.environment = SingletonSupplier
			.of(() -> new CallStyle.Environment(limiter.get(), contexts.get(), SingletonSupplier.of(executor)));
	}

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		if (invocation.getThis() instanceof Advised proxy && isLimited(proxy)) {
			return invocation.proceed();
		}
		LimitedMethod method = this.methods.get().called(invocation);
		return method.style().invoke(method, invocation, this.environment.get());
	}

	/**
	 * Return whether a target is the proxy of another auto-proxy creator, which limits
	 * the call.
	 */
	private static boolean isLimited(Advised proxy) {
		for (Advisor advisor : proxy.getAdvisors()) {
			if (advisor.getAdvice() instanceof RateLimitInterceptor) {
				return true;
			}
		}
		return false;
	}

}
