package io.github.ratelimit.test;

import org.springframework.core.Ordered;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/**
 * Listener that lets each test method begin with fresh limits, after the dependencies of
 * the test are injected and before its own {@code @BeforeEach} methods.
 */
final class FreshLimitsListener implements TestExecutionListener, Ordered {

	/**
	 * Return the order after {@code DependencyInjectionTestExecutionListener} and before
	 * listeners that use the application, such as that of {@code @Sql}.
	 */
	@Override
	public int getOrder() {
		return 2100;
	}

	@Override
	public void beforeTestMethod(TestContext testContext) {
		if (TestContextAnnotationUtils.hasAnnotation(testContext.getTestClass(), AutoConfigureTestRateLimiter.class)) {
			testContext.getApplicationContext().getBeanProvider(TestLimits.class).ifAvailable(TestLimits::beginAnew);
		}
	}

}
