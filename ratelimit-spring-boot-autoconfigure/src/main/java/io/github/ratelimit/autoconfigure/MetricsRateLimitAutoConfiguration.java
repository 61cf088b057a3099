package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.metrics.RateLimitMeters;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for meters, if there is a registry for
 * them. It comes after the registry by both names: Spring Boot 3's, then Spring Boot 4's.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnSingleCandidate(MeterRegistry.class)
public final class MetricsRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitMeters rateLimitMeters(MeterRegistry registry) {
		return new RateLimitMeters(registry);
	}

}
