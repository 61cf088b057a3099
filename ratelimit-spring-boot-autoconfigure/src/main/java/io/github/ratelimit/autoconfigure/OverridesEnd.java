package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.override.RuleOverrides;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Listener that stops following overrides when the application begins to shut down. The
 * Redis client is stopped before beans are destroyed, and would then close the listening
 * connection a second time.
 */
final class OverridesEnd implements ApplicationListener<ContextClosedEvent> {

	private final RuleOverrides overrides;

	private final ApplicationContext context;

	OverridesEnd(RuleOverrides overrides, ApplicationContext context) {
		this.overrides = overrides;
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextClosedEvent event) {
		if (event.getApplicationContext() == this.context) {
			this.overrides.close();
		}
	}

}
