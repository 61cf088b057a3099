package io.github.ratelimit.interceptor;

import io.github.ratelimit.autoconfigure.LimitedApplication;
import io.github.ratelimit.store.RateLimitStore;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Application with limited beans whose calls are counted by a store of the test.
 */
final class LimitedContext {

	private LimitedContext() {
	}

	static ApplicationContextRunner with(RateLimitStore store, Class<?>... beans) {
		return LimitedApplication.runner().withBean(RateLimitStore.class, () -> store).withUserConfiguration(beans);
	}

}
