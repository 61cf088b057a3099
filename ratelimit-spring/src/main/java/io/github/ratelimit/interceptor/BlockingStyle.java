package io.github.ratelimit.interceptor;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RateLimitStore.PlainRule;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Style of methods that return a plain value: the caller waits for the decision and its
 * delay.
 */
final class BlockingStyle implements CallStyle {

	@Override
	public boolean leavesThread(boolean mayWait) {
		return false;
	}

	@Override
	public @Nullable Object invoke(LimitedMethod method, MethodInvocation invocation, Environment environment)
			throws Throwable {
		CallContext context = environment.context();
		try {
			PlainRule rule = method.plainRule();
			if (rule != null) {
				Decision decision = rule.decide(method.plainKey(invocation), 1, context != null);
				if (context != null && decision != null) {
					context.decided(decision);
				}
				return (decision == null || decision.allowed()) ? invocation.proceed()
						: new LimitedCall(method, invocation).deny(decision);
			}
			Demands demands = method.demands(new Call(invocation.getThis(), invocation.getArguments(), context));
			if (demands.isEmpty()) {
				return invocation.proceed();
			}
			DecidedCall acquired = environment.limiter().acquire(demands, context);
			DecidedCall decided = (context != null) ? context.awaitTurn(acquired) : acquired.awaitTurn();
			LimitedCall call = new LimitedCall(method, invocation);
			return call.hasEnd(decided) ? proceed(call, call.end(decided, demands, context))
					: call.proceedOrDeny(decided);
		}
		catch (RateLimitException ex) {
			if (context != null) {
				context.failed(ex);
			}
			throw ex;
		}
	}

	private static @Nullable Object proceed(LimitedCall call, CallEnd end) throws Throwable {
		Object result;
		try {
			result = call.proceed();
		}
		catch (Throwable ex) {
			end.end(null, StageFailure.cause(ex));
			throw ex;
		}
		end.end(result, null);
		return result;
	}

}
