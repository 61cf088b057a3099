package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.override.KeyOverrideStore;
import io.github.ratelimit.override.KeyOverrides;
import io.github.ratelimit.override.LocalKeyOverrideStore;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.override.RuleOverrides;
import io.github.ratelimit.store.local.LocalClock;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration of overrides at run time, which are stored beside the counters.
 */
@Configuration(proxyBeanMethods = false)
class OverrideConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RuleOverrides rateLimitRuleOverrides(RuleRegistry registry, ObjectProvider<OverrideStore> store, KeyOverrides keys,
			LocalClock clock) {
		return new RuleOverrides(registry, store.getIfAvailable(LocalOverrideStore::new), clock.timeOfDay(), keys);
	}

	@Bean
	@ConditionalOnMissingBean
	KeyOverrides rateLimitKeyOverrides(RuleRegistry registry, RateLimitEngine engine,
			ObjectProvider<KeyOverrideStore> store, LocalClock clock) {
		return new KeyOverrides(registry, engine.keys(), store.getIfAvailable(() -> new LocalKeyOverrideStore(clock)),
				clock);
	}

	@Bean
	@ConditionalOnMissingBean
	OverridesEnd rateLimitOverridesEnd(RuleOverrides overrides, ApplicationContext context) {
		return new OverridesEnd(overrides, context);
	}

}
