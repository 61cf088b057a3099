package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.autoconfigure.RateLimitProperties.StoreType;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.LocalOverrideStore;
import io.github.ratelimit.override.OverrideStore;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
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
		boolean mayBeRedis = properties.store() == StoreType.AUTO || properties.store() == StoreType.REDIS;
		RedisConnectionFactory factory = mayBeRedis ? connections(properties, beans) : null;
		if (factory == null) {
			return RateLimitAutoConfiguration.storeWithoutRedis("there is no RedisConnectionFactory bean", properties,
					clock, beans);
		}
		RedisRateLimitStore store = new RedisRateLimitStore(factory, properties.keyPrefix(),
				properties.redis().timeout(), properties.redis().batching(), properties.redis().maxPending(),
				properties.redis().sharding());
		store.beginToConnect();
		return store;
	}

	private static @Nullable RedisConnectionFactory connections(RateLimitProperties properties,
			ListableBeanFactory beans) {
		return new ChosenBean<>(RedisConnectionFactory.class,
				"Rate limits are counted in one Redis, but there are several RedisConnectionFactory beans: ",
				"ratelimit.redis.connection-factory", "spring.data.redis", "@Primary")
			.find(properties.redis().connectionFactory(), beans);
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
				StartReport.warn("This application is reactive, but its Redis client blocks. Rate limits are "
						+ "decided on a few threads of their own, so no event loop waits, but fewer calls are decided at "
						+ "once. Use Lettuce: spring.data.redis.client-type=lettuce.");
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
