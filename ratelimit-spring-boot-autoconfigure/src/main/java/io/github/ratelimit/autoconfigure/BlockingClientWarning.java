package io.github.ratelimit.autoconfigure;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;

import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.redis.RedisRateLimitStore;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;

/**
 * Warning in a reactive application whose Redis client blocks.
 */
@ConditionalOnWebApplication(type = Type.REACTIVE)
final class BlockingClientWarning implements SmartInitializingSingleton {

	private static final Logger logger = System.getLogger(BlockingClientWarning.class.getName());

	private final RateLimitStore store;

	BlockingClientWarning(RateLimitStore store) {
		this.store = store;
	}

	@Override
	public void afterSingletonsInstantiated() {
		if (this.store instanceof RedisRateLimitStore redis && redis.occupiesThreads()) {
			logger.log(Level.WARNING, "This application is reactive, but its Redis client blocks. Rate limits are "
					+ "decided on a few threads of their own, so no event loop waits, but fewer calls are decided at "
					+ "once. Use Lettuce: spring.data.redis.client-type=lettuce.");
		}
	}

}
