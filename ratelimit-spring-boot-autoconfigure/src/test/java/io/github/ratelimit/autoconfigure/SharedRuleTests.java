package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An annotation that only names a rule shares the limit that another annotation, the
 * properties or a program sets, in any order of reading.
 */
class SharedRuleTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	static Stream<List<Class<?>>> orders() {
		return Stream.of(List.of(Defining.class, Naming.class), List.of(Naming.class, Defining.class));
	}

	@ParameterizedTest
	@MethodSource("orders")
	void annotationThatOnlyNamesARuleSharesTheLimitOfAnother(List<Class<?>> beans) {
		with(beans).run((context) -> assertThat(rules(context)).containsExactlyInAnyOrder("one [sliding-log 5 per 1m]",
				"two [sliding-log 7 per 1h]"));
	}

	@ParameterizedTest
	@MethodSource("orders")
	void environmentOverridesBoth(List<Class<?>> beans) {
		with(beans).withPropertyValues("ratelimit.rules.one.max=9")
			.run((context) -> assertThat(rules(context)).containsExactlyInAnyOrder("one [sliding-log 9 per 1m]",
					"two [sliding-log 7 per 1h]"));
	}

	@ParameterizedTest
	@MethodSource("orders")
	void mistakeOfTheDefinitionIsNamedWhereItIs(List<Class<?>> beans) {
		with(beans).withPropertyValues("ratelimit.rules.one.max=0")
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.rules.one.max = 0 is invalid: it has to be between 1 and 1000000000. Write how "
						+ "many units may pass, `max: 5` for example.".replace("`", "")));
	}

	@Test
	void annotationMayNameARuleThatAProgramRegisters() {
		this.runner.withBean(Registering.class)
			.withBean(NamingTheProgram.class)
			.run((context) -> assertThat(rules(context)).containsExactly("export [sliding-log 3 per 1m]"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "headers=none", "mode=shadow", "algorithm=token-bucket", "max=9", "key=#user" })
	void anyPropertyMayStandBesideARuleOfAProgramThatAnAnnotationNames(String property) {
		this.runner.withBean(Registering.class)
			.withBean(NamingTheProgram.class)
			.withPropertyValues("ratelimit.rules.export." + property)
			.run((context) -> assertThat(rules(context)).containsExactly("export [sliding-log 3 per 1m]"));
	}

	@Test
	void defaultAlgorithmOfThePropertiesOverridesThatOfTheAnnotation() {
		this.runner.withBean(Bucket.class)
			.withPropertyValues("ratelimit.rules.bucket.algorithm=default")
			.run((context) -> assertThat(rules(context)).containsExactly("bucket [sliding-log 5 per 1m]"));
	}

	@Test
	void ruleThatAProgramRegistersEarlyWinsOverAnnotationsAndProperties() {
		this.runner.withBean(RegisteringOne.class)
			.withUserConfiguration(Defining.class, Naming.class)
			.withPropertyValues("ratelimit.rules.one.max=9")
			.run((context) -> assertThat(rules(context)).contains("one [sliding-log 3 per 1m]"));
	}

	private ApplicationContextRunner with(List<Class<?>> beans) {
		ApplicationContextRunner all = this.runner;
		for (Class<?> bean : beans) {
			all = all.withUserConfiguration(bean);
		}
		return all;
	}

	private static Stream<String> rules(ApplicationContext context) {
		return context.getBean(RateLimiterRegistry.class).rules().stream().map(RateLimitRule::toString);
	}

	static class Defining {

		@RateLimited(name = "one", max = 5, period = 60)
		@RateLimited("two")
		public void call() {
		}

	}

	static class Naming {

		@RateLimited("one")
		@RateLimited(name = "two", max = 7, period = 3600)
		public void call() {
		}

	}

	static class Bucket {

		@RateLimited(name = "bucket", max = 5, period = 60, algorithm = Algorithm.TOKEN_BUCKET)
		public void call() {
		}

	}

	static class RegisteringOne {

		RegisteringOne(RateLimiterRegistry registry) {
			registry.register(RateLimitRule.named("one").limit(3, Duration.ofMinutes(1)).build());
		}

	}

	static class Registering {

		Registering(RateLimiterRegistry limiters) {
			limiters.register(RateLimitRule.named("export").limit(3, Duration.ofMinutes(1)).build());
		}

	}

	static class NamingTheProgram {

		@RateLimited("export")
		public void call() {
		}

	}

}
