package io.github.ratelimit.benchmarks.peer;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Contender;

/**
 * This library, with counters in Redis or a database.
 */
final class OverRedis {

	private OverRedis() {
	}

	static Contender contender(String name, Application application) {
		RateLimiter limiter = application.limiter();
		return new Contender(name, (key) -> allowed(limiter.tryAcquire(key)),
				(key) -> limiter.tryAcquireAsync(key).thenApply(OverRedis::allowed), application::close);
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

}
