package io.github.ratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.engine.RateLimitEngine;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Rehearses the failure of the store when everything has started, beside the first calls:
 * before that the start has better use for the processor, and later the store may fail.
 */
final class FailureRehearsal implements ApplicationListener<ContextRefreshedEvent> {

	private final RateLimitEngine engine;

	FailureRehearsal(RateLimitEngine engine) {
		this.engine = engine;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		CompletableFuture.runAsync(this.engine::rehearse);
	}

}
