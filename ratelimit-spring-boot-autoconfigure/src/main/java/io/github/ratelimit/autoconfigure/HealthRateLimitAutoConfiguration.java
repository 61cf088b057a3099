package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.actuate.boot3.Boot3HealthConfiguration;
import io.github.ratelimit.actuate.boot4.Boot4HealthConfiguration;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/**
 * {@link AutoConfiguration Auto-configuration} for the health contributor
 * {@code ratelimit}, which {@code management.health.ratelimit.enabled=false} switches
 * off. Spring Boot 3 and 4 have one each; the other one is never loaded.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@Import({ Boot3HealthConfiguration.class, Boot4HealthConfiguration.class })
public final class HealthRateLimitAutoConfiguration {

}
