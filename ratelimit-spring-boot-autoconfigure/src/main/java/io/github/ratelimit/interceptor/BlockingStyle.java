package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.store.Demands;
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
	public @Nullable Object invoke(LimitedCall call, CallEnvironment environment) throws Throwable {
		CallContext context = environment.context();
		try {
			Demands demands = call.demands(context);
			return demands.isEmpty() ? call.invocation().proceed()
					: call.proceedOrDeny(environment.limiter().acquire(demands, context).awaitTurn());
		}
		catch (RateLimitException ex) {
			if (context != null) {
				context.failed(ex);
			}
			throw ex;
		}
	}

}
