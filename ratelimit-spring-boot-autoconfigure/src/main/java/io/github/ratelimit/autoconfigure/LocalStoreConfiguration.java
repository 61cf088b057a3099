package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.store.local.LocalRateLimitStore;

import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configuration of the store without Spring Data Redis on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingClass("org.springframework.data.redis.connection.RedisConnectionFactory")
class LocalStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(RateLimitProperties properties, LocalClock clock) {
		if (properties.store() == StoreType.REDIS) {
			throw noRedis("Spring Data Redis is not on the class path");
		}
		return new LocalRateLimitStore(properties.local().maxKeys(), clock);
	}

	static RateLimitConfigurationException noRedis(String reason) {
		return new RateLimitConfigurationException("ratelimit.store = redis is invalid: " + reason + ".",
				"Add spring-boot-starter-data-redis and configure spring.data.redis, or set ratelimit.store to local.");
	}

}
