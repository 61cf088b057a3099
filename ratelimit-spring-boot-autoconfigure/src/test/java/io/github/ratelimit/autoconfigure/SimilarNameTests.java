package io.github.ratelimit.autoconfigure;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Rule names that differ only in hyphens, underscores or case are equal for Spring Boot,
 * but different for look-ups by name.
 */
class SimilarNameTests {

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class));

	@ParameterizedTest
	@ValueSource(strings = { "send-sms", "sendsms", "send_sms", "sendSms" })
	void propertiesOfAnySpellingBelongToTheAnnotation(String spelling) {
		this.runner.withBean(Sms.class)
			.withInitializer(YamlContext.with("ratelimit.rules." + spelling + ": {max: 2}"))
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).rules())
				.extracting(RateLimitRule::toString)
				.containsExactly("sendsms [sliding-log 2 per 1m]"));
	}

	@Test
	void lookUpNamesTheDifference() {
		this.runner.withBean(Sms.class)
			.withPropertyValues("ratelimit.rules.send-sms.max=2")
			.run((context) -> assertThatIllegalArgumentException()
				.isThrownBy(() -> context.getBean(RateLimiterRegistry.class).limiter("send-sms"))
				.withMessage(
						"There is no rate limit rule \"send-sms\". Known: sendsms. Did you mean sendsms? The names "
								+ "differ only in hyphens, underscores or case."));
	}

	@Test
	void requestRuleNamesTheDifference() {
		this.runner.withBean(Sms.class)
			.withPropertyValues("ratelimit.rules.send-sms.max=2", "ratelimit.web.requests[0].path=/**",
					"ratelimit.web.requests[0].rule=send-sms")
			.run((context) -> assertThat(context.getStartupFailure())
				.isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
					assertThat(mistake.description()).isEqualTo("ratelimit.web.requests[0].rule = \"send-sms\" is "
							+ "invalid: the name of the rule is \"sendsms\", and the two differ in hyphens, underscores "
							+ "or case.");
					assertThat(mistake.action()).isEqualTo("Write the same name everywhere, here rule: sendsms.");
				}));
	}

	@Test
	void propertiesOfTwoAnnotationsAreRefused() {
		this.runner.withBean(Sms.class)
			.withBean(OtherSms.class)
			.withPropertyValues("ratelimit.rules.send-sms.max=2")
			.run((context) -> assertThat(context).getFailure()
				.hasMessage("ratelimit.rules.send-sms may mean the rule \"send-sms\" or \"sendsms\": Spring Boot does "
						+ "not distinguish property names that differ only in hyphens, underscores or case. Give one of "
						+ "the rules another name."));
	}

	static class Sms {

		@RateLimited(name = "sendsms", max = 5, period = 60)
		public void send() {
		}

	}

	static class OtherSms {

		@RateLimited(name = "send-sms", max = 5, period = 60)
		public void send() {
		}

	}

}
