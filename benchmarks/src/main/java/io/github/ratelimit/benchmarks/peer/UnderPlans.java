package io.github.ratelimit.benchmarks.peer;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
 * This library, with keys whose calls come under different plans. All of them allow every
 * call.
 */
public final class UnderPlans {

	/**
	 * Name of the contender with three named plans.
	 */
	public static final String THREE = "this library, three plans";

	/**
	 * Name of the contender whose keys have a limit each.
	 */
	public static final String OWN = "this library, own limit per key";

	private static final ToIntFunction<String> NUMBER = (key) -> Integer.parseInt(key.substring(key.indexOf('-') + 1));

	private UnderPlans() {
	}

	static Contender three(RedisProcess redis, Quota quota) {
		Application application = application(redis, quota);
		List<RateLimiter> plans = List.of(application.limiter(), application.limiter().withPlan("second"),
				application.limiter().withPlan("third"));
		return contender(THREE, application, (key) -> plans.get(NUMBER.applyAsInt(key) % plans.size()).tryAcquire(key));
	}

	static Contender own(RedisProcess redis, Quota quota, int keys) {
		Application application = application(redis, quota);
		RateLimitEngine engine = application.engine();
		RuleLimiter limiter = (RuleLimiter) application.limiter();
		List<Limit> limits = IntStream.range(0, keys)
			.mapToObj((number) -> Limit.of(quota.max() - number, quota.period()))
			.toList();
		return contender(OWN, application,
				(key) -> engine.acquire(limiter.demand(key, 1, limits.get(NUMBER.applyAsInt(key)))).decision());
	}

	private static Application application(RedisProcess redis, Quota quota) {
		return Application.redis(redis, Application.rule("token-bucket", quota),
				Map.of("ratelimit.key-prefix", "plans", "ratelimit.redis.timeout", "5s",
						"ratelimit.rules." + Application.RULE + ".plans.second.max", quota.max() - 1,
						"ratelimit.rules." + Application.RULE + ".plans.third.max", quota.max() - 2));
	}

	private static Contender contender(String name, Application application, Function<String, Decision> call) {
		return new Contender(name, (key) -> OverRedis.allowed(call.apply(key)), null, application::close);
	}

}
