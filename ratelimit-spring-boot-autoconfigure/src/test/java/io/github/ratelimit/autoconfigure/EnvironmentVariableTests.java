package io.github.ratelimit.autoconfigure;

import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Environment variables, which have neither hyphens nor lower case, configure every rule
 * named by an annotation or a file.
 */
class EnvironmentVariableTests {

	private final ApplicationContextRunner runner = LimitedApplication.runner();

	@Test
	void overridesAnnotations() {
		with("RATELIMIT_RULES_REPLY_MAX=10", "RATELIMIT_RULES_REPLYCONTROLLERREPLY_MAX=20",
				"RATELIMIT_DEFAULTS_ALGORITHM=FIXED_WINDOW")
			.withUserConfiguration(ReplyController.class)
			.run((context) -> assertThat(rules(context)).containsExactlyInAnyOrder("reply [fixed-window 10 per 1m]",
					"reply-controller-reply [fixed-window 20 per 1m]"));
	}

	@Test
	void overridesFilesWithOrWithoutAnnotations() {
		with("RATELIMIT_RULES_LOGINATTEMPT_MAX=7", "RATELIMIT_RULES_REPLYCONTROLLERREPLY_MAX=20")
			.withUserConfiguration(ReplyController.class)
			.withInitializer(YamlContext.with("""
					ratelimit.rules:
					  login-attempt: { max: 3, period: 1h }
					  reply-controller-reply: { max: 4, period: 1d }
					"""))
			.run((context) -> assertThat(rules(context)).containsExactlyInAnyOrder(
					"login-attempt [sliding-log 7 per 1h]", "reply [sliding-log 5 per 1m]",
					"reply-controller-reply [sliding-log 20 per 1d]"));
	}

	@Test
	void completeRuleOfAnAnnotationIsNoRuleOfItsOwn() {
		with("RATELIMIT_RULES_REPLYCONTROLLERREPLY_MAX=20", "RATELIMIT_RULES_REPLYCONTROLLERREPLY_PERIOD=2m")
			.withUserConfiguration(ReplyController.class)
			.run((context) -> assertThat(rules(context)).containsExactlyInAnyOrder("reply [sliding-log 5 per 1m]",
					"reply-controller-reply [sliding-log 20 per 2m]"));
	}

	@Test
	void ruleNamedOnlyByAVariableIsNamedAsTheVariable() {
		with("RATELIMIT_RULES_LOGINATTEMPT_MAX=7", "RATELIMIT_RULES_LOGINATTEMPT_PERIOD=60")
			.run((context) -> assertThat(rules(context)).containsExactly("loginattempt [sliding-log 7 per 1m]"));
	}

	@Test
	void oneOfSeveralLimitsIsNumbered() {
		with("RATELIMIT_RULES_SMSLOGIN_LIMITS_0_MAX=7", "RATELIMIT_RULES_SMSLOGIN_LIMITS_0_PERIOD=60",
				"RATELIMIT_RULES_SMSLOGIN_MODE=SHADOW")
			.run((context) -> assertThat(rules(context)).containsExactly("smslogin [sliding-log 7 per 1m]"));
	}

	@Test
	void variableThatMayMeanTwoAnnotationsIsRefused() {
		with("RATELIMIT_RULES_SIGNUP_MAX=7").withUserConfiguration(SignUp.class)
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.rules.signup may mean the rule \"sign-up\" or \"signup\": Spring Boot does not "
						+ "distinguish property names that differ only in hyphens, underscores or case. Give one of "
						+ "the rules another name."));
		with().withUserConfiguration(SignUp.class).run((context) -> assertThat(rules(context)).hasSize(2));
	}

	@Test
	void namesOfAFileThatDifferOnlyInHyphensAreRefused() {
		with()
			.withPropertyValues("ratelimit.rules.sign-up.max=1", "ratelimit.rules.sign-up.period=60",
					"ratelimit.rules.signup.max=2", "ratelimit.rules.signup.period=60")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessage("ratelimit.rules.sign-up and ratelimit.rules.signup differ only in hyphens, underscores "
						+ "or case, which Spring Boot ignores, so it mixes them up. Give one of them another name."));
	}

	private ApplicationContextRunner with(String... variables) {
		Map<String, Object> values = Stream.of(variables)
			.map((variable) -> variable.split("="))
			.collect(Collectors.toMap((parts) -> parts[0], (parts) -> parts[1]));
		return this.runner.withInitializer((context) -> context.getEnvironment()
			.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, values)));
	}

	private static Stream<String> rules(ApplicationContext context) {
		Function<RateLimitRule, String> text = RateLimitRule::toString;
		return context.getBean(RateLimiterRegistry.class).rules().stream().map(text);
	}

	static class ReplyController {

		@RateLimited(max = 5, period = 60)
		public void reply() {
		}

		@RateLimited(name = "reply", max = 5, period = 60)
		public void other() {
		}

	}

	static class SignUp {

		@RateLimited(name = "sign-up", max = 5, period = 60)
		public void one() {
		}

		@RateLimited(name = "signup", max = 5, period = 60)
		public void two() {
		}

	}

}
