package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.observation.RateLimitEvents;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * {@link AutoConfiguration Auto-configuration} for events of observations, if there is a
 * registry of them. It comes after the registry by both names: Spring Boot 3's, then
 * Spring Boot 4's.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnBean(RateLimitProperties.class)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnSingleCandidate(ObservationRegistry.class)
public final class ObservationRateLimitAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitEvents rateLimitEvents(ObservationRegistry registry) {
		return new RateLimitEvents(registry);
	}

}
