package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One startup reports all mistakes of annotations and rules, not only the first.
 */
@ExtendWith(OutputCaptureExtension.class)
class SeveralMistakesTests {

	@Test
	void ofAnnotationsAndRulesAreReportedTogether(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Mistaken.class),
				List.of("ratelimit.rules.sms.max=5", "ratelimit.rules.mail.max=0", "ratelimit.rules.mail.period=60"));
		assertThat(failure.description()).startsWith("5 mistakes in rate limits: 1. ")
			.contains("key \"#usrId\" uses the unknown variable 'usrId'",
					"@RateLimited on Mistaken.zero(): max = 0 is invalid",
					"Invalid @RateLimited on Mistaken.hidden(): the method is private",
					"ratelimit.rules.sms.period is missing", "ratelimit.rules.mail.max = 0 is invalid");
		assertThat(failure.action()).startsWith("1. ")
			.contains("Write #userId.", "max = 5 for example.", "for example period: 60s.", " 5. ");
	}

	@Test
	void ofOtherPropertiesAreReportedTogether(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of("ratelimit.local.max-keys=0", "ratelimit.redis.timeout=0ms"));
		assertThat(failure.description()).isEqualTo("2 mistakes in rate limits: 1. ratelimit.redis.timeout = 0ms is "
				+ "invalid: no reply from Redis could arrive in time. 2. ratelimit.local.max-keys = 0 is invalid: nothing "
				+ "could be counted.");
	}

	@Test
	void ofRulesForRequestsAreReportedTogether() {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class))
			.withPropertyValues("ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api",
					"ratelimit.web.requests[1].path=/**")
			.run((context) -> assertThat(context.getStartupFailure()).isInstanceOfSatisfying(
					RateLimitConfigurationException.class,
					(mistakes) -> assertThat(mistakes.description()).contains(
							"\n1. ratelimit.web.requests[0].rule = \"api\" is invalid",
							"\n2. ratelimit.web.requests[1].rule is missing")));
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

	}

}
