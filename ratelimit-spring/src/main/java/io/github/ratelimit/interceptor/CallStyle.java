package io.github.ratelimit.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Style in which a limited call is decided: while its caller waits or, if the method
 * returns an asynchronous type, without blocking.
 */
interface CallStyle {

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
