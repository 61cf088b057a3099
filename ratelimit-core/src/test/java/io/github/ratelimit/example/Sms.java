package io.github.ratelimit.example;

import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.local.LocalFallbackStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;

final class Sms {

	private final RateLimitEngine engine = new RateLimitEngine(new LocalRateLimitStore(100_000),
			() -> OnStoreFailure.ALLOW, new LocalFallbackStore(1, 1));

	private final RateLimiter limiter = new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of())
		.register(RateLimitRule.named("sms").limit(1, Duration.ofMinutes(1)).build());

	boolean send(String phone) {
		return this.limiter.tryAcquire(phone).allowed();
	}

}
