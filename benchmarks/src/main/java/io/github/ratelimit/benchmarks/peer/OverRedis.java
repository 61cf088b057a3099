package io.github.ratelimit.benchmarks.peer;

import java.util.concurrent.CompletionStage;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Contender;

/**
 * This library, with counters in Redis or a database.
 *
 * @param name the name in tables
 * @param application the application that it runs in
 * @param limiter its limiter
 */
record OverRedis(String name, Application application, RateLimiter limiter) implements Contender {

	OverRedis(String name, Application application) {
		this(name, application, application.limiter());
	}

	@Override
	public boolean tryAcquire(String key) {
		return allowed(this.limiter.tryAcquire(key));
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return this.limiter.tryAcquireAsync(key).thenApply(OverRedis::allowed);
	}

	/**
	 * Return whether a call was allowed by a decision of the store.
	 */
	static boolean allowed(Decision decision) {
		if (decision.origin() == Decision.Origin.FALLBACK) {
			throw new IllegalStateException("The store did not decide");
		}
		return decision.allowed();
	}

	@Override
	public void close() {
		this.application.close();
	}

}
