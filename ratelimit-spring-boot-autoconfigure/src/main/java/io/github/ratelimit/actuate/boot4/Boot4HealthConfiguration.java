package io.github.ratelimit.actuate.boot4;

import io.github.ratelimit.actuate.StoreHealth;

import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The health contributor {@code ratelimit}, if the health API of Spring Boot 4 is there.
 * The annotation's own class is asked for as well, since Spring ignores a condition that
 * it cannot load.
 *
 * @since 0.1.0
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(name = { "org.springframework.boot.health.contributor.HealthIndicator",
		"org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator" })
@ConditionalOnEnabledHealthIndicator("ratelimit")
@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
public class Boot4HealthConfiguration {

	@Bean
	@ConditionalOnMissingBean
	StoreHealth rateLimitStoreHealth() {
		return new StoreHealth();
	}

	/**
	 * The name of the bean is the name of the contributor.
	 */
	@Bean
	RateLimitHealthIndicator ratelimitHealthIndicator(StoreHealth store) {
		return new RateLimitHealthIndicator(store);
	}

}
