package io.github.ratelimit.interceptor;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demands;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * Call of a limited method on its way through the interceptor.
 *
 * @param isLater whether the call proceeds after the interceptor has returned
 */
record LimitedCall(LimitedMethod method, MethodInvocation invocation, boolean isLater) {

	LimitedCall(LimitedMethod method, MethodInvocation invocation) {
		this(method, invocation, false);
	}

	Demands demands(@Nullable CallContext context) {
		return this.method.demands(new Call(this.invocation.getThis(), this.invocation.getArguments(), context));
	}

	boolean hasEnd(DecidedCall decided) {
		return (this.method.settles() || decided.needsEnd()) && decided.isAllowed();
	}

	CallEnd end(DecidedCall decided, Demands demands, @Nullable CallContext context) {
		CallEnd end = CallEnd.of(decided, this.method.ends(demands),
				new Call(this.invocation.getThis(), this.invocation.getArguments(), context));
		if (context instanceof HandledRequest request
				&& (this.method.returnsResponse() || request.isHandledBy(this.method.method()))) {
			end.leaveToResponse(request);
		}
		return end;
	}

	@Nullable Object proceedOrDeny(DecidedCall decided) throws Throwable {
		return decided.isAllowed() ? proceed() : deny(decided.decision());
	}

	/**
	 * Proceed with the method. Advice of AspectJ behind the limit needs the call on its
	 * thread, from which Spring has removed it if the interceptor has returned.
	 */
	@Nullable Object proceed() throws Throwable {
		return this.isLater ? ((MethodInterceptor) ExposeInvocationInterceptor.INSTANCE).invoke(this.invocation)
				: this.invocation.proceed();
	}

	@Nullable Object deny(Decision decision) throws Throwable {
		RateLimitExceededException denial = new RateLimitExceededException(decision);
		Fallback fallback = this.method.fallback(decision);
		if (fallback == null) {
			throw denial;
		}
		return fallback.invoke(this.invocation.getThis(), this.invocation.getArguments(), denial);
	}

	/** Return a copy that can proceed later, also more than once. */
	LimitedCall copy() {
		return new LimitedCall(this.method, ((ProxyMethodInvocation) this.invocation).invocableClone(), true);
	}

}
