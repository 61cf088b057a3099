package io.github.ratelimit.autoconfigure;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Candidates in properties.
 */
class CandidateContextTests {

	@Test
	void candidatesHaveFromTheRuleWhatTheyLeaveOut() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withInitializer(YamlContext
				.with("""
						ratelimit:
						  store: local
						  rules:
						    reply:
						      max: 10
						      period: 60s
						      candidates:
						        tight: { max: 5 }
						        smooth: { algorithm: token-bucket, max: 5, burst: 10 }
						        slow: { period: 5m }
						    bucket:
						      algorithm: token-bucket
						      max: 10
						      burst: 20
						      period: 60s
						      candidates: { tight: { max: 5 }, log: { algorithm: sliding-log } }
						    sms:
						      limits: [ { name: minute, max: 1, period: 1m }, { name: day, max: 10, period: 1d } ]
						      candidates: { few: { limits: [ { name: day, max: 3 } ] } }
						    month:
						      max: 1000
						      calendar: month
						      candidates: { less: { max: 500 }, week: { max: 300, calendar: week }, log: { algorithm: sliding-window, period: 1h }, hourly: { max: 100, period: 1h } }
						    quota:
						      max: 1000
						      calendar: month
						      first-day: 15
						      candidates: { week: { max: 300, calendar: week }, less: { max: 500 } }
						"""))
			.run((context) -> {
				RateLimiterRegistry limiters = context.getBean(RateLimiterRegistry.class);
				assertThat(limiters.limiter("reply").rule().candidates())
					.hasToString("{tight=[sliding-log 5 per 1m], smooth=[token-bucket 5 per 1m with a burst of 10], "
							+ "slow=[sliding-log 10 per 5m]}");
				assertThat(limiters.limiter("bucket").rule().candidates())
					.hasToString("{tight=[token-bucket 5 per 1m with a burst of 20], log=[sliding-log 10 per 1m]}");
				assertThat(limiters.limiter("sms").rule().candidates())
					.hasToString("{few=[sliding-log 1 per 1m, sliding-log 3 per 1d]}");
				assertThat(limiters.limiter("month").rule().candidates()).asString()
					.contains("less=[fixed-window 500 per month", "week=[fixed-window 300 per week",
							"log=[sliding-window 1000 per 1h]", "hourly=[fixed-window 100 per 1h]");
				assertThat(limiters.limiter("quota").rule().candidates())
					.hasToString("{week=[fixed-window 300 per week in UTC], "
							+ "less=[fixed-window 500 per month in UTC from day 15]}");
			});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					pay.candidates.a.algorithm           | pay: { max: 10, period: 60s, candidates: { tight: { max: 5 }, a: { algorithm: concurrency } } }
					sms.candidates.a.limits[0].algorithm | sms: { limits: [ { name: minute, max: 1, period: 1m }, { name: day, max: 10, period: 1d } ], candidates: { a: { limits: [ { name: day, algorithm: concurrency } ] } } }
					""")
	void candidateThatCountsCallsUntilTheyEndIsNamed(String property, String rule) {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withInitializer(YamlContext.with("ratelimit: { store: local, rules: { " + rule + " } }"))
			.run((context) -> assertThat(context).getFailure()
				.hasMessageStartingWith(
						"ratelimit.rules." + property + " = concurrency is invalid: it counts calls until they end"));
	}

}
