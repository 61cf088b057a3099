package io.github.ratelimit.test;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Factory of customizers for annotated test classes. Only Spring's test context is used:
 * the annotations and slices of Spring Boot's test support have other places in Spring
 * Boot 3 and 4.
 */
final class TestRateLimiterCustomizerFactory implements ContextCustomizerFactory {

	static final String PROPERTY = "io.github.ratelimit.test";

	/**
	 * Interval longer than any test, so that load signals are read only before a test
	 * method and when the test moves the clock.
	 */
	private static final String NEVER = "366d";

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureTestRateLimiter annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestRateLimiter.class);
		return (annotation != null) ? new TestRateLimiterCustomizer(annotation.enabled()) : null;
	}

	/**
	 * Customizer that sets properties of the limiter, which override those of the
	 * application. It is part of the key by which contexts are cached.
	 */
	private record TestRateLimiterCustomizer(boolean enabled) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			context.getEnvironment()
				.getPropertySources()
				.addFirst(new MapPropertySource("Test Rate Limiter",
						Map.of(PROPERTY, "true", "ratelimit.enabled", String.valueOf(this.enabled), "ratelimit.store",
								"local", "ratelimit.adaptive.interval", NEVER)));
		}

	}

}
