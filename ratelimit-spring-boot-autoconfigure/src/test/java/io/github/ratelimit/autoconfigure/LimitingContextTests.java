package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.support.AopUtils;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Annotated methods are limited regardless of the other beans of the application.
 */
class LimitingContextTests {

	private static final AutoConfigurations ALL = AutoConfigurations.of(AopAutoConfiguration.class,
			RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
			ReactiveRateLimitAutoConfiguration.class);

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withConfiguration(ALL)
		.withUserConfiguration(OnceOnly.class);

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=false", "spring.aop.proxy-target-class=true", "ratelimit.store=local",
			"spring.main.lazy-initialization=true", "ratelimit.aop.order=-5" })
	void limitsClasses(String property) {
		this.runner.withPropertyValues(property).run((context) -> {
			assertThat(AopUtils.isCglibProxy(context.getBean(Once.class))).isTrue();
			limits(context);
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "spring.aop.auto=true", "spring.aop.auto=false" })
	void limitsInterfacesWithoutAspectJ(String property) {
		this.runner.withPropertyValues("spring.aop.proxy-target-class=false", property).run((context) -> {
			assertThat(AopUtils.isJdkDynamicProxy(context.getBean(Once.class))).isTrue();
			limits(context);
		});
	}

	@Test
	void limitsWithoutTheAopAutoConfiguration() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withUserConfiguration(OnceOnly.class)
			.run(LimitingContextTests::limits);
	}

	@Test
	void doesNotLimitWhenDisabled() {
		this.runner.withPropertyValues("ratelimit.enabled=false").run((context) -> {
			Once once = context.getBean(Once.class);
			once.call();
			assertThatNoException().isThrownBy(once::call);
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			period=60                                      | sliding-log 5 per 1m
			period=500ms                                   | sliding-log 5 per 500ms
			period=1m                                      | sliding-log 5 per 1m
			period=PT2H                                    | sliding-log 5 per 2h
			period=60, algorithm=token-bucket              | token-bucket 5 per 1m
			period=60, algorithm=TOKEN_BUCKET              | token-bucket 5 per 1m
			period=60, algorithm=tokenBucket, burst=2      | token-bucket 5 per 1m with a burst of 2
			period=60, algorithm=default                   | sliding-log 5 per 1m
			""")
	void valuesMayBeWrittenInMoreThanOneWay(String properties, String limit) {
		String[] all = Stream.of(properties.split(", ")).map("ratelimit.rules.reply."::concat).toArray(String[]::new);
		this.runner.withPropertyValues("ratelimit.rules.reply.max=5")
			.withPropertyValues(all)
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).limiter("reply").rule().limits())
				.hasToString("[" + limit + "]"));
	}

	private static void limits(ApplicationContext context) {
		Once once = context.getBean(Once.class);
		once.call();
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(once::call)
			.satisfies((denial) -> assertThat(denial.decision().origin()).isEqualTo(Decision.Origin.LOCAL));
	}

	interface Once {

		void call();

	}

	static class OnceOnly implements Once {

		@Override
		@RateLimited(max = 1, period = 3600)
		public void call() {
		}

	}

}
