package io.github.ratelimit.test;

import java.util.Map;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/**
 * Customizer that sets properties of the limiter, which override those of the
 * application. It is part of the key by which contexts are cached.
 *
 * @param enabled whether calls are limited
 */
record TestRateLimiterCustomizer(boolean enabled) implements ContextCustomizer {

	/**
	 * Property of contexts whose limiter is one for tests.
	 */
	static final String PROPERTY = "io.github.ratelimit.test";

	/**
	 * Interval longer than any test, so that load signals are read only before a test
	 * method and when the test moves the clock.
	 */
	private static final String NEVER = "366d";

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		context.getEnvironment()
			.getPropertySources()
			.addFirst(new MapPropertySource("Test Rate Limiter", Map.of(PROPERTY, "true", "ratelimit.enabled",
					String.valueOf(this.enabled), "ratelimit.store", "local", "ratelimit.adaptive.interval", NEVER)));
	}

}
