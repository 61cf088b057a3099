package io.github.ratelimit.interceptor;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.Decision;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.store.Demands;
import org.jspecify.annotations.Nullable;

/**
 * Limiter of calls of methods and of requests: decides a call and notes the decision for
 * the response of its web request.
 *
 * @since 0.1.0
 */
public record CallLimiter(RateLimitEngine engine) {

	public DecidedCall acquire(Demands demands, @Nullable CallContext request) {
		DecidedCall decided = this.engine.acquire(demands);
		return (request != null) ? noted(decided, request) : decided;
	}

	/**
	 * Return the decision that a call would get now, and note it for the response.
	 * Nothing is counted.
	 */
	public Decision preview(Demands demands, CallContext request) {
		Decision decision = this.engine.preview(demands);
		request.decided(decision);
		return decision;
	}

	public CompletableFuture<DecidedCall> acquireAsync(Demands demands, @Nullable CallContext request) {
		return this.engine.acquireAsync(demands)
			.thenApply((decided) -> (request != null) ? noted(decided, request) : decided)
			.toCompletableFuture();
	}

	/** Acquire while the caller waits, if its thread may block. */
	public CompletableFuture<DecidedCall> acquireBlockingIfAllowed(Demands demands, @Nullable CallContext request) {
		return CurrentThread.mayBlock() ? CompletableFuture.completedFuture(acquire(demands, request))
				: acquireAsync(demands, request);
	}

	private static DecidedCall noted(DecidedCall decided, CallContext request) {
		request.decided(decided.decision());
		return decided;
	}

}
