package io.github.ratelimit.interceptor;

import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Application with limited beans whose calls are counted by a store of the test.
 */
final class LimitedContext {

	private LimitedContext() {
	}

	static ApplicationContextRunner with(RateLimitStore store, Class<?>... beans) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withBean(RateLimitStore.class, () -> store)
			.withUserConfiguration(beans);
	}

}
