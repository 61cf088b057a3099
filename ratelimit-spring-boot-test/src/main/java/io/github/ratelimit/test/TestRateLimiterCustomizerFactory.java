package io.github.ratelimit.test;

import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Factory of customizers for annotated test classes. Only Spring's test context is used:
 * the annotations of slices have other places in Spring Boot 3 and 4, but for the one
 * that all of them have.
 */
final class TestRateLimiterCustomizerFactory implements ContextCustomizerFactory {

	static final String PROPERTY = "io.github.ratelimit.test";

	/**
	 * Interval longer than any test, so that load signals are read only before a test
	 * method and when the test moves the clock.
	 */
	private static final String NEVER = "366d";

	private static final String OF_SLICES = "org.springframework.boot.test.autoconfigure.OverrideAutoConfiguration";

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureTestRateLimiter annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestRateLimiter.class);
		return (annotation != null) ? new TestRateLimiterCustomizer(annotation.enabled(), isSlice(testClass)) : null;
	}

	private static boolean isSlice(Class<?> testClass) {
		return MergedAnnotations.search(SearchStrategy.TYPE_HIERARCHY)
			.withEnclosingClasses(TestContextAnnotationUtils::searchEnclosingClass)
			.from(testClass)
			.isPresent(OF_SLICES);
	}

	/**
	 * Customizer that sets properties of the limiter, which override those of the
	 * application. It is part of the key by which contexts are cached. A slice lacks
	 * beans whose annotations complete rules, or that keys use: by default, that is a
	 * warning there.
	 */
	private record TestRateLimiterCustomizer(boolean enabled, boolean isSlice) implements ContextCustomizer {

		@Override
		public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
			MutablePropertySources sources = context.getEnvironment().getPropertySources();
			sources.addFirst(new MapPropertySource("Test Rate Limiter", Map.of(PROPERTY, "true", "ratelimit.enabled",
					String.valueOf(this.enabled), "ratelimit.store", "local", "ratelimit.adaptive.interval", NEVER)));
			if (this.isSlice) {
				sources.addLast(
						new MapPropertySource("Rate Limiter of a Slice", Map.of("ratelimit.verification", "warn")));
			}
		}

	}

}
