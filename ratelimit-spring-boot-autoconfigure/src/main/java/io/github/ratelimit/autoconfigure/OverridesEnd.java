package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.override.RuleOverrides;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Stops following changes of rules as soon as the application begins to shut down. Later,
 * Redis's client is stopped, which comes before beans are destroyed, and would close the
 * connection that listens a second time.
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
