package io.github.ratelimit.autoconfigure;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import io.github.ratelimit.engine.RateLimitEngine;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Rehearses the failure of the store some seconds after the application has started: its
 * start, and its first calls, have better use for the processor.
 */
final class FailureRehearsal implements ApplicationListener<ContextRefreshedEvent> {

	private static final int SECONDS_LATER = 5;

	private final RateLimitEngine engine;

	FailureRehearsal(RateLimitEngine engine) {
		this.engine = engine;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		CompletableFuture.delayedExecutor(SECONDS_LATER, TimeUnit.SECONDS).execute(this.engine::rehearse);
	}

}
