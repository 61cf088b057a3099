package io.github.ratelimit.client;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.store.local.LocalClock;
import org.junit.jupiter.api.AutoClose;
import reactor.core.Exceptions;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Application that sends requests to an API and limits them. By default, time stands
 * still.
 */
abstract class OutgoingRequestSupport {

	static final Instant NOW = Instant.parse("2026-11-23T20:00:00Z");

	@AutoClose
	final Api api = new Api();

	final AtomicLong micros = new AtomicLong(NOW.toEpochMilli() * 1000);

	final ApplicationContextRunner realTime = Client.runner()
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api");

	final ApplicationContextRunner application = this.realTime.withBean(LocalClock.class,
			() -> new StillClock(this.micros));

	int get(Client client, ApplicationContext context, String path) {
		try {
			return client.get(context, this.api.url(path));
		}
		catch (RuntimeException ex) {
			throw (RuntimeException) Exceptions.unwrap(ex);
		}
	}

	static RateLimiter limiter(ApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class).limiter("api");
	}

}
