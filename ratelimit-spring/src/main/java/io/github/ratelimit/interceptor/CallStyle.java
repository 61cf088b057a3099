package io.github.ratelimit.interceptor;

import java.util.concurrent.Executor;
import java.util.function.Supplier;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Style in which a limited call is decided: while its caller waits or, if the method
 * returns an asynchronous type, without blocking.
 */
interface CallStyle {

	@Nullable Object invoke(LimitedMethod method, MethodInvocation invocation, Environment environment) throws Throwable;

	/**
	 * Return whether the method may run on another thread than its caller's.
	 * @param mayWait whether a call may wait for its turn
	 */
	default boolean leavesThread(boolean mayWait) {
		return true;
	}

	/**
	 * Environment of limited calls: the limiter that decides them, their web request, and
	 * the threads on which they continue.
	 */
	record Environment(CallLimiter limiter, CallContextSource contexts, Supplier<Executor> executor) {

		/**
		 * Return the web request of the current thread, or of the call that continues on
		 * it.
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

}
