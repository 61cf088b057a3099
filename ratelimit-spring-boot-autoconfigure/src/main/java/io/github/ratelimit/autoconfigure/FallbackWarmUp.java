package io.github.ratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.RateLimitEngine;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Warm-up of the fallback store after startup, concurrently with the first calls. Earlier
 * it would slow down startup, and later the store may already have failed.
 */
final class FallbackWarmUp implements ApplicationListener<ContextRefreshedEvent> {

	private final RateLimitEngine engine;

	FallbackWarmUp(RateLimitEngine engine) {
		this.engine = engine;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		CompletableFuture.runAsync(this.engine::warmUpFallback);
	}

}
