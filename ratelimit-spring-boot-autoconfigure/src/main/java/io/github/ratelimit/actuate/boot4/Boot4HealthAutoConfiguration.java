package io.github.ratelimit.actuate.boot4;

import io.github.ratelimit.actuate.StoreHealth;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for the health contributor
 * {@code ratelimit} with the health API of Spring Boot 4, which
 * {@code management.health.ratelimit.enabled=false} switches off. The condition names its
 * own annotation as well, because Spring ignores a condition that it cannot load.
 *
 * @since 0.1.0
 */
@AutoConfiguration(afterName = "io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration")
@ConditionalOnBean(type = "io.github.ratelimit.autoconfigure.RateLimitProperties")
@ConditionalOnClass(name = { "org.springframework.boot.health.contributor.HealthIndicator",
		"org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator" })
@ConditionalOnEnabledHealthIndicator("ratelimit")
@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
public final class Boot4HealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StoreHealth rateLimitStoreHealth() {
		return new StoreHealth();
	}

	/**
	 * Create the contributor, whose name is that of the bean. It does not call the store,
	 * so it answers at once.
	 */
	@Bean
	HealthIndicator ratelimitHealthIndicator(StoreHealth store) {
		return () -> (switch (store.state()) {
			case COUNTING -> Health.up();
			case FALLBACK -> Health.unknown();
			case REFUSING -> Health.down();
		}).withDetails(store.details()).build();
	}

}
