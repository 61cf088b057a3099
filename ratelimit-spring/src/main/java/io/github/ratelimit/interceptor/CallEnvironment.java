package io.github.ratelimit.interceptor;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.util.function.SingletonSupplier;

/**
 * Environment of limited calls: the limiter that decides them, their web request, and the
 * threads on which they continue.
 */
final class CallEnvironment {

	private final CallLimiter limiter;

	private final CallContextSource contexts;

	private final Supplier<Executor> executor;

	CallEnvironment(CallLimiter limiter, CallContextSource contexts, Supplier<Executor> executor) {
		this.limiter = limiter;
		this.contexts = contexts;
		this.executor = SingletonSupplier.of(executor);
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
