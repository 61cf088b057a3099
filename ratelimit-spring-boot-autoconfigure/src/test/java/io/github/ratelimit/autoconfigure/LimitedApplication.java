package io.github.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * Application whose beans may be limited.
 */
public final class LimitedApplication {

	private LimitedApplication() {
	}

	/**
	 * Return a runner of applications without the web.
	 * @param others auto-configurations beside those of limits and of AOP
	 */
	public static ApplicationContextRunner runner(Class<?>... others) {
		return new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class))
			.withConfiguration(AutoConfigurations.of(others));
	}

}
