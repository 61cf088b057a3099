package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.forgotten.ForgottenApplication;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A warning names annotated classes that are not beans; the application starts.
 */
class ForgottenBeanTests {

	private static final String FORGOTTEN = ForgottenApplication.class.getPackageName() + ".Forgotten";

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(AopAutoConfiguration.class, RateLimitAutoConfiguration.class));

	private final RecordedLog log = new RecordedLog(ForgottenBeanWarning.class);

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void annotatedClassesThatAreNotBeansAreNamedInOneLine() {
		this.runner.withUserConfiguration(ForgottenApplication.class)
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactly("WARNING No bean of the application is a " + FORGOTTEN + ", or a "
				+ FORGOTTEN + "Class, or a " + FORGOTTEN
				+ "Twice, so no proxy sees the calls of its methods, and @RateLimited does not limit them. "
				+ "Make it a bean, with @Component for example, and call that.");
	}

	@Test
	void beansOfAParentContextAreNotForgotten() throws ClassNotFoundException {
		ApplicationContextRunner parents = this.runner;
		for (String suffix : List.of("", "Class", "Twice")) {
			parents = parents.withBean(Class.forName(FORGOTTEN + suffix));
		}
		parents.run((parent) -> this.runner.withParent(parent)
			.withUserConfiguration(ForgottenApplication.class)
			.run((context) -> assertThat(context).hasNotFailed()));
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noSearchIfNothingIsLimited() {
		this.runner.withUserConfiguration(ForgottenApplication.class)
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void noSearchWithoutPackagesOfAnApplication() {
		this.runner.withBean(Limited.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isEmpty();
	}

	static class Limited {

		@RateLimited(max = 5, period = 60)
		public void call() {
		}

	}

}
