package io.github.ratelimit.benchmarks.outage;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.redis.process.RedisProcess;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;

import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Instance of an application, with connections, store, engine and registry of its own.
 */
final class Instance implements AutoCloseable {

	private static final long MAX_KEYS = 100_000;

	private final LettuceConnectionFactory connections;

	private final RedisRateLimitStore store;

	private final RateLimitEngine engine;

	private final RuleRegistry registry;

	Instance(RedisProcess redis, Duration timeout, List<RateLimitRule> rules) {
		this.connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration(redis.host(), redis.port()));
		this.connections.afterPropertiesSet();
		this.connections.start();
		this.store = new RedisRateLimitStore(this.connections, "soak", timeout);
		this.engine = new RateLimitEngine(this.store, () -> OnStoreFailure.LOCAL, new LocalFallbackStore(MAX_KEYS, 1));
		this.registry = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of());
		rules.forEach(this.registry::register);
		this.engine.start();
		this.engine.warmUpFallback();
	}

	RateLimiter limiter(RateLimitRule rule) {
		return this.registry.limiter(rule.name());
	}

	@Override
	public void close() {
		this.engine.close();
		this.store.close();
		this.connections.destroy();
	}

}
