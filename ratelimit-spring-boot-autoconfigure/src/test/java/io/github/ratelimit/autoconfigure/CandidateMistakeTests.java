package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.RateLimiterRegistry;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.ratelimit.autoconfigure.RuleMistake.mistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Candidates in properties. A mistake in one stops startup with a message that states the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class CandidateMistakeTests {

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
						      candidates: { less: { max: 500 }, week: { max: 300, calendar: week }, log: { algorithm: sliding-window, period: 1h } }
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
							"log=[sliding-window 1000 per 1h]");
			});
	}

	@ParameterizedTest
	@MethodSource
	void ofACandidateStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup(properties, description, action, output);
	}

	static Stream<Arguments> ofACandidateStopsStartup() {
		String one = "Remove one of the two.";
		return Stream.of(
				mistake("max=5, period=60, candidates.Tight.max=3",
						"candidates = \"Tight\" is invalid: the name of a candidate becomes part of metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"tight\" for example."),
				mistake("max=5, period=60, candidates[0].max=3",
						"candidates[0] = {...} is invalid: candidates is a map of names, not a list.",
						"Write a name, and below it the properties: ratelimit.rules.reply.candidates.tight for example."),
				mistake("max=5, period=60, candidates.tight.max=0",
						"candidates.tight.max = 0 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, max: 5 for example."),
				mistake("max=5, period=60, candidates.tight.burst=9",
						"candidates.tight.burst = 9 is invalid: it has no effect with the algorithm sliding-log, only with "
								+ "token-bucket and leaky-bucket.",
						"Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				mistake("max=5, period=60, candidates.a.max=1, candidates.b.max=2, candidates.c.max=3, "
						+ "candidates.d.max=4, candidates.e.max=6",
						"candidates = a, b, c, d, e is invalid: a rule tries at most 4 candidates, since every call is "
								+ "counted for each of them.",
						"Remove some of them."),
				mistake("max=5, period=60, candidates.tight.max=3, max-wait=1s, algorithm=leaky-bucket",
						"candidates = tight is invalid: max-wait 1s lets calls wait, and how long calls of a candidate would "
								+ "have waited is unknown.",
						one),
				mistake("max=5, period=60, candidates.tight.max=3, prefetch=20ms",
						"candidates = tight is invalid: prefetch lets instances decide calls by units that they hold, and "
								+ "the candidates would not see these calls.",
						one),
				mistake("max=5, algorithm=concurrency, candidates.tight.max=3",
						"candidates = tight is invalid: concurrency counts calls until they end, and calls that a candidate "
								+ "would have denied run.",
						one),
				mistake("max=5, period=60, candidates.tight.algorithm=warm-up, headroom.low=1",
						"headroom.low = 1 is invalid: with the candidate tight warm-up has no capacity that could stay free: it "
								+ "paces calls.",
						"Remove one of the two, or write a rule of its own for each class of calls."),
				mistake("limits[0].name=minute, limits[0].max=1, limits[0].period=60, limits[1].name=day, "
						+ "limits[1].max=9, limits[1].period=1d, candidates.few.max=3",
						"candidates.few.limits is missing: the rule has several limits: minute, day.",
						"Write which of them the candidate changes, limits: [{name: minute, max: 5}] for example."));
	}

}
