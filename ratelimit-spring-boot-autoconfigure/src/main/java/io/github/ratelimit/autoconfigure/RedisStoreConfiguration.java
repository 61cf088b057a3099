package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisConnectionFactory;

/**
 * Configuration of the store with Spring Data Redis on the class path. The connection
 * factory is looked up when the store is created, so the order of configurations does not
 * matter.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RedisConnectionFactory.class)
class RedisStoreConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitStore rateLimitStore(RateLimitProperties properties, LocalClock clock, ListableBeanFactory beans) {
		if (properties.store() == StoreType.JDBC) {
			return DatabaseStore.chosen(beans).create();
		}
		RedisConnectionFactory factory = (properties.store() == StoreType.LOCAL) ? null
				: connections(properties, beans);
		if (factory == null && properties.store() == StoreType.REDIS) {
			throw RateLimitAutoConfiguration.noRedis("there is no RedisConnectionFactory bean");
		}
		return (factory != null) ? redis(factory, properties)
				: new LocalRateLimitStore(properties.local().maxKeys(), clock);
	}

	private static @Nullable RedisConnectionFactory connections(RateLimitProperties properties,
			ListableBeanFactory beans) {
		return new ChosenBean<>(RedisConnectionFactory.class,
				"Rate limits are counted in one Redis, but there are several RedisConnectionFactory beans: ",
				"ratelimit.redis.connection-factory", "spring.data.redis", "@Primary")
			.find(properties.redis().connectionFactory(), beans);
	}

	private static RateLimitStore redis(RedisConnectionFactory factory, RateLimitProperties properties) {
		RedisRateLimitStore store = new RedisRateLimitStore(factory, properties.keyPrefix(),
				properties.redis().timeout(), properties.redis().batching(), properties.redis().maxPending(),
				properties.redis().sharding());
		store.beginToConnect();
		return store;
	}

	@Bean
	@ConditionalOnMissingBean
	OverrideStore rateLimitOverrideStore(RateLimitStore store, RateLimitProperties properties,
			ListableBeanFactory beans, LocalClock clock) {
		if (properties.store() == StoreType.JDBC) {
			return DatabaseStore.overrides(store, clock);
		}
		RedisConnectionFactory factory = (store instanceof RedisRateLimitStore) ? connections(properties, beans) : null;
		return (factory != null) ? ((RedisRateLimitStore) store).overrides(factory) : new LocalOverrideStore(clock);
	}

	@Bean
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	SmartInitializingSingleton rateLimitBlockingClientWarning(RateLimitStore store) {
		return () -> {
			if (store instanceof RedisRateLimitStore redis && redis.occupiesThreads()) {
				StartReport.logBlockingClient();
			}
		};
	}

	@Bean
	@ConditionalOnMissingBean(name = "rateLimitStoreConnection")
	StoreLifecycle rateLimitStoreConnection(RateLimitStore store, RateLimitEngine engine) {
		return new StoreLifecycle(store, engine);
	}

	@Bean
	@ConditionalOnMissingBean
	StoreLifecycle.OfHeldUnits rateLimitHeldUnitsRefund(RateLimitStore store, RateLimitEngine engine) {
		return new StoreLifecycle.OfHeldUnits(store, engine);
	}

}
