package io.github.ratelimit.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.ratelimit.benchmarks.measure.Contender;
import io.github.ratelimit.benchmarks.measure.Quota;
import io.github.ratelimit.redis.process.RedisProcess;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Redisson's {@link RRateLimiter}. Setting the rate takes an extra call, once per key.
 */
final class RedissonLimiter {

	static final String NAME = "Redisson `RRateLimiter`";

	private RedissonLimiter() {
	}

	static Contender contender(RedisProcess redis, Quota quota) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://%s:%d".formatted(redis.host(), redis.port()));
		RedissonClient client = Redisson.create(config);
		Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();
		Function<String, RRateLimiter> limiter = (key) -> {
			RRateLimiter known = limiters.get(key);
			return (known != null) ? known : limiters.computeIfAbsent(key, (unknown) -> {
				RRateLimiter made = client.getRateLimiter("redisson:" + key);
				made.trySetRate(RateType.OVERALL, quota.max(), quota.period());
				return made;
			});
		};
		return new Contender(NAME, (key) -> limiter.apply(key).tryAcquire(),
				(key) -> limiter.apply(key).tryAcquireAsync(), client::shutdown);
	}

}
