package io.github.ratelimit.test;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Factory of customizers for annotated test classes. Only Spring's test context is used:
 * the annotations and slices of Spring Boot's test support have other places in Spring
 * Boot 3 and 4.
 */
final class TestRateLimiterCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		AutoConfigureTestRateLimiter annotation = TestContextAnnotationUtils.findMergedAnnotation(testClass,
				AutoConfigureTestRateLimiter.class);
		return (annotation != null) ? new TestRateLimiterCustomizer(annotation.enabled()) : null;
	}

}
