package io.github.ratelimit.benchmarks.peer;

import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.redis.process.RedisProcess;

/**
 * This library, with counters in Redis or a database. Calls of some contenders come under
 * different plans, all of which allow every call.
 */
final class ThisLibrary {

	static final String THREE_PLANS = "this library, three plans";

	static final String OWN_LIMITS = "this library, own limit per key";

	private static final ToIntFunction<String> NUMBER = (key) -> Integer.parseInt(key.substring(key.indexOf('-') + 1));

	private ThisLibrary() {
	}

	static Contender contender(String name, Application application) {
		RateLimiter limiter = application.limiter();
		return new Contender(name, (key) -> allowed(limiter.tryAcquire(key)),
				(key) -> limiter.tryAcquireAsync(key).thenApply(ThisLibrary::allowed), application::close);
	}

	/**
	 * Return whether a call was allowed by a decision of the store.
	 */
	private static boolean allowed(Decision decision) {
		if (decision.origin() == Decision.Origin.FALLBACK) {
			throw new IllegalStateException("The store did not decide");
		}
		return decision.allowed();
	}

	static Contender underThreePlans(RedisProcess redis, Quota quota) {
		Application application = application(redis, quota);
		List<RateLimiter> plans = List.of(application.limiter(), application.limiter().withPlan("second"),
				application.limiter().withPlan("third"));
		return new Contender(THREE_PLANS,
				(key) -> allowed(plans.get(NUMBER.applyAsInt(key) % plans.size()).tryAcquire(key)), null,
				application::close);
	}

	static Contender withOwnLimits(RedisProcess redis, Quota quota, int keys) {
		Application application = application(redis, quota);
		RateLimitEngine engine = application.engine();
		RuleLimiter limiter = (RuleLimiter) application.limiter();
		List<Limit> limits = IntStream.range(0, keys)
			.mapToObj((number) -> Limit.of(quota.max() - number, quota.period()))
			.toList();
		return new Contender(OWN_LIMITS,
				(key) -> allowed(engine.acquire(limiter.demand(key, 1, limits.get(NUMBER.applyAsInt(key)))).decision()),
				null, application::close);
	}

	private static Application application(RedisProcess redis, Quota quota) {
		return Application.redis(redis, Application.rule("token-bucket", quota),
				Map.of("ratelimit.key-prefix", "plans", "ratelimit.redis.timeout", "5s",
						"ratelimit.rules." + Application.RULE + ".plans.second.max", quota.max() - 1,
						"ratelimit.rules." + Application.RULE + ".plans.third.max", quota.max() - 2));
	}

}
