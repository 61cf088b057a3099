package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Limiter of calls of methods and of requests: decides a call and notes the decision for
 * the response of its web request.
 *
 * @since 0.1.0
 */
public final class CallLimiter {

	private final RateLimitEngine engine;

	/**
	 * Create a new limiter.
	 * @param engine the engine that decides
	 */
	public CallLimiter(RateLimitEngine engine) {
		this.engine = engine;
	}

	/**
	 * Decide a call.
	 * @param demands the demands of the call, at least one
	 * @param request the web request of the call, or {@code null}
	 * @return the decision over all rules, and the units taken
	 */
	public DecidedCall acquire(Demands demands, @Nullable CallContext request) {
		return noted(this.engine.acquire(demands), request);
	}

	/**
	 * Decide a call without blocking the caller.
	 * @param demands the demands of the call, at least one
	 * @param request the web request of the call, or {@code null}
	 * @return the decision over all rules, and the units taken, later
	 */
	public CompletableFuture<DecidedCall> acquireAsync(Demands demands, @Nullable CallContext request) {
		return this.engine.acquireAsync(demands).thenApply((decided) -> noted(decided, request)).toCompletableFuture();
	}

	private static DecidedCall noted(DecidedCall decided, @Nullable CallContext request) {
		if (request != null) {
			request.decided(decided.decision());
		}
		return decided;
	}

}
