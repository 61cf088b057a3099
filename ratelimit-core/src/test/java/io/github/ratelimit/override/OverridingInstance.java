package io.github.ratelimit.override;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.Engines;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.store.local.LocalRateLimitStore;

/**
 * Instance of the application with a clock of its own.
 */
final class OverridingInstance {

	final AtomicLong clock;

	final RuleRegistry registry;

	final KeyOverrideRegistry overrides;

	final RateLimiter limiter;

	OverridingInstance(OverrideStore store, long now) {
		this.clock = new AtomicLong(now);
		RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100));
		this.registry = new RuleRegistry(engine, Algorithm.SLIDING_LOG, List.of());
		this.limiter = this.registry.register(RateLimitRule.named("search").limit(5, Duration.ofHours(1)).build());
		this.registry.register(RateLimitRule.named("sms")
			.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
			.limit(Limit.of(5, Duration.ofDays(1)).withName("day"))
			.build());
		this.overrides = new KeyOverrideRegistry(this.registry, engine.keys(), store, this.clock::get);
		engine.keys().writeOverridesBy(() -> this.overrides);
	}

}
