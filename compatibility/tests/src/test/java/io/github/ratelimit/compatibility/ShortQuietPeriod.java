package io.github.ratelimit.compatibility;

import java.time.Duration;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Makes Netty wait 0.1 s instead of 2 s for further work when an application stops. It
 * has to wait: the pool of a client cannot close connections whose event loop has already
 * ended, and then the application never stops.
 */
class ShortQuietPeriod implements BeanPostProcessor {

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof ReactorResourceFactory resources) {
			resources.setShutdownQuietPeriod(Duration.ofMillis(100));
		}
		return bean;
	}

}
