package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.engine.RateLimitEngine;

import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Rehearses the failure of the store when everything has started, so that the start takes
 * no longer for it.
 */
final class FailureRehearsal implements ApplicationListener<ContextRefreshedEvent> {

	private final RateLimitEngine engine;

	FailureRehearsal(RateLimitEngine engine) {
		this.engine = engine;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		this.engine.rehearse();
	}

}
