package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.ratelimit.autoconfigure.RuleMistake.mistake;

/**
 * A mistake in a property of a rule stops startup with a message that names the property,
 * the value, the reason and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class RulePropertyMistakeTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofARuleStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup(properties, description, action, output);
	}

	static Stream<Arguments> ofARuleStopsStartup() {
		String units = "Write how many units may pass, max: 5 for example.";
		String duration = "Write a duration, period: 60s for example; a number without a unit means seconds.";
		return Stream.of(
				mistake("max=0, period=60", "max = 0 is invalid: it has to be between 1 and 1000000000.", units),
				mistake("max=-5, period=60", "max = -5 is invalid: it has to be between 1 and 1000000000.", units),
				mistake("max=1000000001, period=60",
						"max = 1000000001 is invalid: it has to be between 1 and 1000000000.", units),
				mistake("max=10001, period=60",
						"max = 10001 is invalid: the algorithm sliding-log keeps one entry per admitted unit, so max is "
								+ "at most 10000.",
						"Write algorithm: token-bucket, which keeps two numbers for any max, or "
								+ "algorithm: sliding-window, which keeps one per segment, or lower max."),
				mistake("max=5, period=0", "period = 0ms is invalid: it has to be between 1 ms and 366 days.",
						duration),
				mistake("max=5, period=-1s", "period = -1s is invalid: it has to be between 1 ms and 366 days.",
						duration),
				mistake("max=5, period=367d", "period = 367d is invalid: it has to be between 1 ms and 366 days.",
						duration),
				mistake("max=5, period=1500us",
						"period = PT0.0015S is invalid: it has to be a whole number of milliseconds.",
						"Round it, period: 100ms for example."),
				mistake("max=5, period=60, burst=2",
						"burst = 2 is invalid: it has no effect with the algorithm sliding-log, only with token-bucket "
								+ "and leaky-bucket.",
						"Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				mistake("max=5, period=60, algorithm=token-bucket, burst=0",
						"burst = 0 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, burst: 5 for example."),
				mistake("max=5", "period is missing: a limit admits max units per period.",
						"Write a duration, for example period: 60s."),
				mistake("period=60", "max is missing: a limit admits max units per period.",
						"Write how many units may pass, for example max: 5."),
				mistake("max=5, limits[0].max=5, limits[0].period=60",
						"max = 5 is invalid: the rule has limits as well.", "Write either max and period, or limits."),
				mistake("period=60, limits[0].max=5, limits[0].period=60",
						"period = 1m is invalid: the rule has limits as well.",
						"Write either max and period, or limits."),
				mistake("limits[0].name=minute, limits[0].max=5, limits[0].period=60, limits[1].name=day, limits[1].max=0, "
						+ "limits[1].period=1d", "limits[1].max = 0 is invalid: it has to be between 1 and 1000000000.",
						units),
				mistake("limits[0].name=Per Minute, limits[0].max=5, limits[0].period=60",
						"limits[0].name = \"Per Minute\" is invalid: the name of a limit becomes part of keys and headers.",
						"Use lower case letters, digits and hyphens, name: minute for example."));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofAnAttributeOfFewAlgorithmsStopsStartup(String properties, String description, String action,
			CapturedOutput output) {
		RuleMistake.assertStopsStartup("max=5, period=60, " + properties, description, action, output);
	}

	static Stream<Arguments> ofAnAttributeOfFewAlgorithmsStopsStartup() {
		String segments = "Write into how many parts the period is cut, segments: 10 for example.";
		String coldFactor = "Write how many times slower it begins, cold-factor: 3 for example.";
		return Stream.of(
				mistake("segments=5",
						"segments = 5 is invalid: it has no effect with the algorithm sliding-log, only with "
								+ "sliding-window.",
						"Remove it, or write algorithm: sliding-window."),
				mistake("algorithm=sliding-window, segments=1",
						"segments = 1 is invalid: it has to be between 2 and 100.", segments),
				mistake("algorithm=sliding-window, segments=101",
						"segments = 101 is invalid: it has to be between 2 and 100.", segments),
				mistake("algorithm=token-bucket, align=first-request",
						"align = first-request is invalid: it has no effect with the algorithm token-bucket, only with "
								+ "fixed-window.",
						"Remove it, or write algorithm: fixed-window."),
				mistake("algorithm=token-bucket, count-denied=true",
						"count-denied = true is invalid: it has no effect with the algorithm token-bucket, only with "
								+ "sliding-log and fixed-window.",
						"Remove it, or write algorithm: sliding-log or algorithm: fixed-window."),
				mistake("algorithm=weighted-window, warm-up-period=10",
						"warm-up-period = 10s is invalid: it has no effect with the algorithm weighted-window, only with "
								+ "warm-up.",
						"Remove it, or write algorithm: warm-up."),
				mistake("algorithm=fixed-window, cold-factor=3",
						"cold-factor = 3 is invalid: it has no effect with the algorithm fixed-window, only with warm-up.",
						"Remove it, or write algorithm: warm-up."),
				mistake("algorithm=warm-up, warm-up-period=11",
						"warm-up-period = 11s is invalid: at 5 per 1m not a single unit is admitted in it.",
						"Write a longer one, or another algorithm."),
				mistake("algorithm=warm-up, warm-up-period=31d",
						"warm-up-period = 31d is invalid: it has to be between 1 ms and 30 days.",
						"Write a duration, warm-up-period: 60s for example; a number without a unit means seconds."),
				mistake("algorithm=warm-up, warm-up-period=60, cold-factor=1",
						"cold-factor = 1 is invalid: it has to be between 2 and 10.", coldFactor),
				mistake("algorithm=warm-up, warm-up-period=60, cold-factor=11",
						"cold-factor = 11 is invalid: it has to be between 2 and 10.", coldFactor),
				mistake("algorithm=warm-up, warm-up-period=60, burst=5",
						"burst = 5 is invalid: it has no effect with the algorithm warm-up, only with token-bucket and "
								+ "leaky-bucket.",
						"Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofAnAttributeOfAllAlgorithmsStopsStartup(String properties, String description, String action,
			CapturedOutput output) {
		RuleMistake.assertStopsStartup("max=5, period=60, " + properties, description, action, output);
	}

	static Stream<Arguments> ofAnAttributeOfAllAlgorithmsStopsStartup() {
		String maxWait = "Write how long a call may wait, max-wait: 2s for example.";
		String prefetch = "Write how long an instance may hold units, prefetch: 20ms for example; a number without a unit "
				+ "means seconds.";
		String minInterval = "Write a duration, min-interval: 60s for example; a number without a unit means seconds.";
		return Stream.of(
				mistake("max-wait=-1s", "max-wait = -1s is invalid: it has to be between 0 and 366 days.", maxWait),
				mistake("max-wait=367d", "max-wait = 367d is invalid: it has to be between 0 and 366 days.", maxWait),
				mistake("prefetch=2s", "prefetch = 2s is invalid: it has to be between 1 ms and 1 s.", prefetch),
				mistake("prefetch=20ms, min-interval=1s",
						"prefetch = 20ms is invalid: min-interval keeps calls of all "
								+ "instances 1s apart, and units that an instance holds would not.",
						"Remove it, or count this rule by sliding-log, sliding-window, weighted-window, fixed-window "
								+ "or token-bucket, without min-interval and count-denied."),
				mistake("prefetch=0", "prefetch = 0ms is invalid: it has to be between 1 ms and 1 s.", prefetch),
				mistake("min-interval=0", "min-interval = 0ms is invalid: it has to be between 1 ms and 366 days.",
						minInterval),
				mistake("min-interval=367d", "min-interval = 367d is invalid: it has to be between 1 ms and 366 days.",
						minInterval),
				mistake("min-interval=1500us",
						"min-interval = PT0.0015S is invalid: it has to be a whole number of milliseconds.",
						"Round it, min-interval: 100ms for example."));
	}

}
