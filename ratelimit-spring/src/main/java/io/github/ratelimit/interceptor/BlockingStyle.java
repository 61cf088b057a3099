package io.github.ratelimit.interceptor;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.concurrent.StageFailure;
import io.github.ratelimit.engine.DecidedCall;
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
			if (demands.isEmpty()) {
				return call.invocation().proceed();
			}
			DecidedCall decided = environment.limiter().acquire(demands, context).awaitTurn();
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

	/**
	 * Proceed, and end the call when the method returns or throws.
	 */
	private static @Nullable Object proceed(LimitedCall call, CallEnd end) throws Throwable {
		Object result;
		try {
			result = call.invocation().proceed();
		}
		catch (Throwable ex) {
			end.end(null, StageFailure.cause(ex));
			throw ex;
		}
		end.end(result, null);
		return result;
	}

}
