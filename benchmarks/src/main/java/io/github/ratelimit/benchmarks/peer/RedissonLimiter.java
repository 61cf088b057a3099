package io.github.ratelimit.benchmarks.peer;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

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
final class RedissonLimiter implements Contender {

	static final String NAME = "Redisson `RRateLimiter`";

	private final RedissonClient client;

	private final Quota quota;

	private final Map<String, RRateLimiter> limiters = new ConcurrentHashMap<>();

	RedissonLimiter(RedisProcess redis, Quota quota) {
		Config config = new Config();
		config.useSingleServer().setAddress("redis://%s:%d".formatted(redis.host(), redis.port()));
		this.client = Redisson.create(config);
		this.quota = quota;
	}

	@Override
	public String name() {
		return NAME;
	}

	@Override
	public boolean tryAcquire(String key) {
		return limiter(key).tryAcquire();
	}

	@Override
	public CompletionStage<?> tryAcquireAsync(String key) {
		return limiter(key).tryAcquireAsync();
	}

	private RRateLimiter limiter(String key) {
		RRateLimiter limiter = this.limiters.get(key);
		return (limiter != null) ? limiter : this.limiters.computeIfAbsent(key, (unknown) -> {
			RRateLimiter made = this.client.getRateLimiter("redisson:" + key);
			made.trySetRate(RateType.OVERALL, this.quota.max(), this.quota.period());
			return made;
		});
	}

	@Override
	public void close() {
		this.client.shutdown();
	}

}
