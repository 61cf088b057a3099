package io.github.ratelimit.autoconfigure;

import java.util.function.Supplier;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.engine.RecordedLog;
import io.github.ratelimit.web.RequestRuleMatcher;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Mistakes that are only warned about do not stop startup, but calls to invalidly
 * annotated methods still fail.
 */
class VerificationTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	private final ApplicationContextRunner warning = this.runner.withPropertyValues("ratelimit.verification=warn");

	@AutoClose
	private final RecordedLog log = new RecordedLog(Mistakes.class);

	@Test
	void mistakeStopsStartupByDefault() {
		this.runner.withUserConfiguration(Mistaken.class)
			.run((context) -> assertThat(context).getFailure().isInstanceOf(RateLimitConfigurationException.class));
		assertThat(this.log.lines()).isEmpty();
	}

	@Test
	void everyMistakeIsReportedOnceWithItsRemedy() {
		this.warning.withUserConfiguration(Mistaken.class, Inheriting.class)
			.withPropertyValues("ratelimit.rules.sms.max=5")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).containsExactlyInAnyOrder(
				"WARNING Invalid @RateLimited on Mistaken.hidden(): the method is private, so no proxy sees its calls "
						+ "and it would not be limited. Make it public and not private, or annotate the public method "
						+ "that calls it from another bean.",
				"WARNING Invalid @RateLimited on Mistaken.fixed(): the method is final, so no proxy sees its calls "
						+ "and it would not be limited. Make it public and not final, or annotate the public method "
						+ "that calls it from another bean.",
				"WARNING Invalid @RateLimited on Mistaken.reply(String): key \"#usrId\" uses the unknown variable "
						+ "'usrId'. Known: #userId, args, ip, method, methodName, path, principal, target, targetClass, "
						+ "claim('name'), cookie('name'), header('name'), "
						+ "param('name'), pathVariable('name'). Write #userId.",
				"WARNING @RateLimited on Mistaken.zero(): max = 0 is invalid: it has to be between 1 and 1000000000. "
						+ "Write how many units may pass, max = 5 for example.",
				"WARNING ratelimit.rules.sms.period is missing: no annotation names the rule \"sms\", and a limit admits max units per period. "
						+ "Write a duration, for example period: 60s.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "max=0", "ban.after=0", "deny[0]=10.0.0/8", "headroom.low=abc", "zone=Nowhere",
			"schedule[0].from=zz" })
	void valueThatCannotBeReadIsReportedLikeOneThatIsInvalid(String mistake) {
		this.warning
			.withPropertyValues("ratelimit.rules.sms." + mistake, "ratelimit.rules.sms.max=5",
					"ratelimit.rules.sms.period=60", "ratelimit.rules.sms." + mistake)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThatIllegalArgumentException()
					.isThrownBy(() -> context.getBean(RateLimiterRegistry.class).limiter("sms"));
			});
		assertThat(this.log.lines()).singleElement().asString().startsWith("WARNING ratelimit.rules.sms.");
	}

	@Test
	void entriesForRequestsWithAMistakeLimitNothing() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class))
			.withInitializer(YamlContext.with("""
					ratelimit:
					  verification: warn
					  rules:
					    sms: { max: 0, period: 60s }
					    api: { max: 5, period: 60s }
					  web.requests:
					    - { path: /sms, rule: sms }
					    - { path: /api/**, rule: api }
					    - { path: "/{", rule: api }
					"""))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBean(RequestRuleMatcher.class).all())
					.extracting((rule) -> rule.operation().location())
					.containsExactly("ratelimit.web.requests[1]");
			});
		assertThat(this.log.lines()).hasSize(3)
			.contains("WARNING ratelimit.web.requests[0].rule = \"sms\" is invalid: the rule is invalid. Correct "
					+ "ratelimit.rules.sms.")
			.anyMatch((line) -> line.startsWith("WARNING ratelimit.rules.sms.max = 0 is invalid"))
			.anyMatch((line) -> line.startsWith("WARNING ratelimit.web.requests[2].path = \"/{\" is invalid"));
	}

	@Test
	void finalMethodOfASuperclassThatImplementsALimitedOneIsReported() {
		this.warning.withUserConfiguration(ByFinalMethod.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith(
					"WARNING Invalid @RateLimited on WithFinalMethod.send(): the method is final, so no proxy sees");
	}

	@Test
	void methodWithAnInvalidAnnotationCannotBeCalled() {
		this.warning.withUserConfiguration(Mistaken.class).run((context) -> {
			Mistaken bean = context.getBean(Mistaken.class);
			for (int i = 0; i < 2; i++) {
				assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(() -> bean.reply("laoqian"))
					.withMessageContaining("usrId");
				assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(bean::zero)
					.withMessageContaining("max = 0");
			}
			assertThat(bean.valid()).isEqualTo("called");
		});
	}

	@Test
	void ruleThatCannotBeIsNotThere() {
		this.warning.withPropertyValues("ratelimit.rules.sms.max=5")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(RateLimiterRegistry.class).limiter("sms"))
				.withMessage("There is no rate limit rule \"sms\". Known: none."));
	}

	@ParameterizedTest
	@ValueSource(strings = { "mistaken-hidden", "mistaken-fixed", "mistaken-zero" })
	void propertiesThatCompleteAnInvalidAnnotationLackNothing(String rule) {
		this.warning.withUserConfiguration(Mistaken.class)
			.withPropertyValues("ratelimit.rules." + rule + ".mode=shadow")
			.run((context) -> assertThat(context).hasNotFailed());
		assertThat(this.log.lines()).isNotEmpty().noneMatch((line) -> line.contains("is missing"));
	}

	@Test
	void blankKeyIsAWarningAndFailsItsCalls() {
		this.warning.withUserConfiguration(Blank.class)
			.run((context) -> assertThatExceptionOfType(RateLimitConfigurationException.class)
				.isThrownBy(context.getBean(Blank.class)::call)
				.withMessage("Invalid @RateLimited on Blank.call(): key \" \" is blank. Remove it, or write an "
						+ "expression: parameters are written as #name, text in single quotes."));
		assertThat(this.log.lines()).singleElement().asString().contains("key \" \" is blank");
	}

	@Test
	void ruleThatIsDefinedInTwoWaysFailsTheCallsOfBoth() {
		this.warning.withUserConfiguration(Unlike.class).run((context) -> {
			Unlike bean = context.getBean(Unlike.class);
			assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(bean::one)
				.withMessageContaining("not alike");
			assertThatExceptionOfType(RateLimitConfigurationException.class).isThrownBy(bean::two)
				.withMessageContaining("not alike");
		});
		assertThat(this.log.lines()).singleElement().asString().contains("both define the rule \"shared\"");
	}

	@Test
	void finalClassIsAWarningAndRunsUnlimited() {
		this.warning.withBean(Fixed.class).run((context) -> {
			Fixed bean = context.getBean(Fixed.class);
			assertThat(bean.call()).isEqualTo("called");
			assertThat(bean.call()).isEqualTo("called");
		});
		assertThat(this.log.lines()).singleElement()
			.asString()
			.startsWith("WARNING Invalid @RateLimited in " + Fixed.class.getName() + ": the class is final, and Spring "
					+ "limits methods by a proxy that extends it. Make the class non-final");
	}

	@ParameterizedTest
	@ValueSource(classes = { Behind.class, BehindRecord.class, Constant.class })
	void finalClassBehindAnInterfaceIsLimited(Class<?> configuration) {
		this.warning.withPropertyValues("spring.aop.proxy-target-class=false")
			.withUserConfiguration(configuration)
			.run((context) -> {
				Supplier<?> bean = context.getBean(Supplier.class);
				assertThat(bean.get()).isEqualTo("called");
				assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(bean::get);
			});
		assertThat(this.log.lines()).isEmpty();
	}

	static final class Fixed {

		@RateLimited(max = 1, period = 60)
		public String call() {
			return "called";
		}

	}

	static final class Behind implements Supplier<String> {

		@Override
		@RateLimited(max = 1, period = 60)
		public String get() {
			return "called";
		}

	}

	record BehindRecord() implements Supplier<String> {

		@Override
		@RateLimited(max = 1, period = 60)
		public String get() {
			return "called";
		}

	}

	@Configuration
	static class Constant {

		@Bean
		Supplier<String> constant() {
			return Text.CALLED;
		}

		enum Text implements Supplier<String> {

			CALLED {

				@Override
				@RateLimited(name = "constant", max = 1, period = 60)
				public String get() {
					return "called";
				}

			}

		}

	}

	static class Unlike {

		@RateLimited(name = "shared", max = 5, period = 60)
		public void one() {
		}

		@RateLimited(name = "shared", max = 6, period = 60)
		public void two() {
		}

	}

	static class Blank {

		@RateLimited(key = " ", max = 5, period = 60)
		public void call() {
		}

	}

	static class Mistaken {

		@RateLimited(key = "#usrId", max = 5, period = 60)
		public void reply(String userId) {
		}

		@RateLimited(max = 0, period = 60)
		public void zero() {
		}

		@RateLimited(max = 5, period = 60)
		private void hidden() {
		}

		@RateLimited(max = 5, period = 60)
		public final void fixed() {
		}

		@RateLimited(max = 5, period = 60)
		public String valid() {
			return "called";
		}

	}

	static class Inheriting extends Mistaken {

	}

	interface Sender {

		@RateLimited(max = 1, period = 60)
		void send();

	}

	static class WithFinalMethod {

		public final void send() {
		}

	}

	static class ByFinalMethod extends WithFinalMethod implements Sender {

	}

}
