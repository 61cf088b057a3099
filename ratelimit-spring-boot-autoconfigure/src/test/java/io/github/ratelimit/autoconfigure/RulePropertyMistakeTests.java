package io.github.ratelimit.autoconfigure;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a property of a rule stops startup with a message that names the property,
 * the value, the reason and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class RulePropertyMistakeTests {

	private static final String REPLY = "ratelimit.rules.reply.";

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofARuleStopsStartup(String properties, String description, String action, CapturedOutput output) {
		List<String> all = Stream.of(properties.split(", ")).map(REPLY::concat).toList();
		StartFailure failure = StartFailure.of(output, List.of(), all);
		assertThat(failure.description()).isEqualTo(REPLY + description);
		assertThat(failure.action()).isEqualTo(action);
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
						"Write algorithm: token-bucket, which keeps two numbers whatever max is, or "
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
	void ofACalendarStopsStartup(String properties, String description, String action, CapturedOutput output) {
		ofARuleStopsStartup("max=5, " + properties, description, action, output);
	}

	static Stream<Arguments> ofACalendarStopsStartup() {
		String calendar = "Write calendar: month for example instead of a period, or remove it.";
		String algorithm = "Remove it and write a period, or write algorithm: fixed-window.";
		String firstDay = "Write the day on which a month begins, first-day: 15 for example.";
		return Stream.of(
				mistake("calendar=month, period=60", "calendar = month is invalid: the limit has a period as well.",
						"Write either period or calendar."),
				mistake("calendar=month, algorithm=token-bucket",
						"calendar = month is invalid: it has no effect with the algorithm token-bucket, only with "
								+ "fixed-window.",
						algorithm),
				mistake("calendar=day, algorithm=fixed-window, align=first-request",
						"align = first-request is invalid: the windows of a limit with a calendar begin by the "
								+ "calendar.",
						"Remove it."),
				mistake("calendar=day, burst=3",
						"burst = 3 is invalid: it has no effect with the algorithm fixed-window, only with "
								+ "token-bucket and leaky-bucket.",
						"Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				mistake("period=60, zone=Europe/Paris",
						"zone = Europe/Paris is invalid: it has no effect without a calendar.", calendar),
				mistake("period=60, first-day=15", "first-day = 15 is invalid: it has no effect without a calendar.",
						calendar),
				mistake("calendar=week, first-day=2",
						"first-day = 2 is invalid: it moves months and years, and the calendar is week.",
						"Remove it, or write calendar: month."),
				mistake("calendar=month, first-day=0",
						"first-day = 0 is invalid: it has to be between 1 and 28, a day that every month has.",
						firstDay),
				mistake("calendar=year, first-day=29",
						"first-day = 29 is invalid: it has to be between 1 and 28, a day that every month has.",
						firstDay),
				mistake("zone=UTC", "period is missing: a limit admits max units per period.",
						"Write a duration, for example period: 60s."));
	}

	@Test
	void calendarBesideLimitsStopsStartup(CapturedOutput output) {
		ofARuleStopsStartup("calendar=month, limits[0].max=5, limits[0].period=60",
				"calendar = month is invalid: the rule has limits as well.",
				"Write either max and calendar, or limits.", output);
	}

	@ParameterizedTest
	@MethodSource
	void ofAPlanStopsStartup(String properties, String description, String action, CapturedOutput output) {
		ofARuleStopsStartup(properties, description, action, output);
	}

	static Stream<Arguments> ofAPlanStopsStartup() {
		String units = "Write how many units may pass, max: 5 for example.";
		return Stream.of(
				mistake("max=5, period=60, plans.pro.max=0",
						"plans.pro.max = 0 is invalid: it has to be between 1 and 1000000000.", units),
				mistake("max=5, period=60, plans.pro.burst=2",
						"plans.pro.burst = 2 is invalid: it has no effect with the algorithm sliding-log, only with "
								+ "token-bucket and leaky-bucket.",
						"Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				mistake("max=5, period=60, plans.pro.limits[0].name=day, plans.pro.limits[0].max=9",
						"plans.pro.limits[0].name = day is invalid: the rule has one limit only.",
						"Write the numbers without limits, max: 600."),
				mistake("limits[0].name=minute, limits[0].max=1, limits[0].period=60, limits[1].name=day, "
						+ "limits[1].max=9, limits[1].period=1d, plans.pro.limits[0].name=hour, "
						+ "plans.pro.limits[0].max=9",
						"plans.pro.limits[0].name = hour is invalid: the rule has the limits minute, day.",
						"Write one of these names."),
				mistake("limits[0].name=minute, limits[0].max=1, limits[0].period=60, limits[1].name=day, "
						+ "limits[1].max=9, limits[1].period=1d, plans.pro.max=9",
						"plans.pro.limits is missing: the rule has several limits: minute, day.",
						"Write which of them the plan changes, limits: [{name: minute, max: 600}] for example."),
				mistake("adaptive.signal=memory, adaptive.low.at=0.6, adaptive.low.max=9, adaptive.high.at=0.9, "
						+ "adaptive.high.max=1, period=60, plans.pro.max=7",
						"plans.pro.max = 7 is invalid: adaptive of the rule derives it from the load of each instance.",
						"Change period or burst, or write another rule without adaptive."),
				mistake("max=5, algorithm=fixed-window, calendar=month, zone=Europe/Paris, plans.pro.max=9, plans.pro.period=1d",
						"plans.pro.period = 1d is invalid: the limit of the rule counts by the calendar, month in "
								+ "Europe/Paris, whatever the plan.",
						"Change its max only."),
				mistake("max=5, period=60, plans.pro.algorithm=token-bucket",
						"plans.pro.algorithm = \"token-bucket\" is invalid: there is no such property. Known: max, period, "
								+ "burst, limits.",
						"Remove it, or write a known one."));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofABanStopsStartup(String properties, String description, String action, CapturedOutput output) {
		ofARuleStopsStartup("max=5, period=60, " + properties, description, action, output);
	}

	static Stream<Arguments> ofABanStopsStartup() {
		String missing = " is missing: a ban begins after some denials within a time, and lasts for another.";
		return Stream.of(
				mistake("ban.within=10m, ban.lasting=1h", "ban.after" + missing,
						"Write how many denials ban a key, after: 20 for example."),
				mistake("ban.after=20, ban.lasting=1h", "ban.within" + missing,
						"Write how close together they are, within: 10m for example."),
				mistake("ban.after=20, ban.within=10m", "ban.lasting" + missing,
						"Write how long a ban lasts, lasting: 1h for example."),
				mistake("ban.after=1001, ban.within=10m, ban.lasting=1h",
						"ban.after = 1001 is invalid: it has to be between 1 and 1000, since the time of each denial is "
								+ "stored.",
						"Write how many denials ban a key, after: 20 for example."),
				mistake("ban.after=20, ban.within=10m, ban.lasting=0",
						"ban.lasting = 0ms is invalid: it has to be between 1 ms and 366 days.",
						"Write a duration, ban.lasting: 60s for example; a number without a unit means seconds."),
				mistake("ban.after=20, ban.within=10m, ban.lasting=1h, ban.growing-to=30m",
						"ban.growing-to = 30m is invalid: it is shorter than the first ban, which lasts 1h.",
						"Write the length of the longest ban, growing-to: 24h for example, or leave it out."),
				mistake("ban.after=20, ban.within=10m, ban.lasting=1h, count-denied=true",
						"ban = after 20 denials within 10m for 1h is invalid: count-denied lets denied calls extend the "
								+ "wait, and a ban does not: attempts while a key is banned count nowhere.",
						"Remove one of both; a ban counts denied calls by itself."));
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofAnAttributeOfFewAlgorithmsStopsStartup(String properties, String description, String action,
			CapturedOutput output) {
		ofARuleStopsStartup("max=5, period=60, " + properties, description, action, output);
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
		ofARuleStopsStartup("max=5, period=60, " + properties, description, action, output);
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

	/**
	 * The properties are added to an adaptive limit or replace its own; a name without a
	 * value removes the property.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofAnAdaptiveLimitStopsStartup(String properties, String description, String action, CapturedOutput output) {
		Map<String, String> all = new LinkedHashMap<>(
				Map.of("period", "60", "adaptive.signal", "memory", "adaptive.low.at", "0.6", "adaptive.low.max",
						"1000", "adaptive.high.at", "0.9", "adaptive.high.max", "100"));
		for (String property : properties.split(", ")) {
			String[] parts = property.split("=", 2);
			all.compute(parts[0], (name, value) -> (parts.length > 1) ? parts[1] : null);
		}
		String joined = all.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
		ofARuleStopsStartup(joined, description, action, output);
	}

	static Stream<Arguments> ofAnAdaptiveLimitStopsStartup() {
		String log = "Write algorithm: token-bucket, which keeps two numbers whatever max is, or "
				+ "algorithm: sliding-window, " + "which keeps one per segment, or lower max.";
		String why = " is missing: max follows a signal between two points.";
		return Stream.of(
				mistake("adaptive.signal=disk",
						"adaptive.signal = \"disk\" is invalid: there is no such signal. Known: memory, cpu.",
						"Write one of these, or declare a bean of type LoadSignal with that name."),
				mistake("adaptive.signal", "adaptive.signal" + why,
						"Write memory, cpu or the name of a LoadSignal bean."),
				mistake("adaptive.low.at, adaptive.low.max", "adaptive.low" + why,
						"Write {at: 0.6, max: 1000} for example."),
				mistake("adaptive.high.at, adaptive.high.max", "adaptive.high" + why,
						"Write {at: 0.9, max: 100} for example."),
				mistake("adaptive.low.at", "adaptive.low.at" + why, "Write a fraction, at: 0.6 for example."),
				mistake("adaptive.high.max", "adaptive.high.max" + why, "Write max: 100 for example."),
				mistake("adaptive.low.at=0.95",
						"adaptive.high.at = 0.9 is invalid: it has to be above adaptive.low.at, which is 0.95.",
						"Write the lower load as low, {low: {at: 0.6, max: 1000}, high: {at: 0.9, max: 100}} for example."),
				mistake("adaptive.low.at=60%", "adaptive.low.at = 60% is invalid: it is neither a number nor a size.",
						"Write a fraction, at: 0.6 for example, or for memory a size, at: 1GB for example."),
				mistake("adaptive.high.at=1GB",
						"adaptive.low.at = 0.6 is invalid: it is a fraction, but adaptive.high.at is a size.",
						"Write two fractions or two sizes."),
				mistake("adaptive.low.max=0", "adaptive.low.max = 0 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, adaptive.low.max: 5 for example."),
				mistake("max=5, adaptive.high.max=0",
						"adaptive.high.max = 0 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, adaptive.high.max: 5 for example."),
				mistake("adaptive.low.max=10001",
						"adaptive.low.max = 10001 is invalid: the algorithm sliding-log keeps one entry per admitted unit, "
								+ "so max is at most 10000.",
						log),
				mistake("max=5, adaptive.high.max=10001",
						"adaptive.high.max = 10001 is invalid: the algorithm sliding-log keeps one entry per admitted unit, "
								+ "so max is at most 10000.",
						log),
				mistake("algorithm=warm-up, warm-up-period=10s, adaptive.high.max=1",
						"warm-up-period = 10s is invalid: at 1 per 1m not a single unit is admitted in it.",
						"Write a longer one, or another algorithm."));
	}

	@Test
	void unknownSignalOfOneOfSeveralLimitsIsReportedWithItsPlace(CapturedOutput output) {
		String limit = "limits[0].adaptive.";
		ofARuleStopsStartup(
				"limits[0].period=60, " + limit + "signal=disk, " + limit + "low.at=1, " + limit + "low.max=5, " + limit
						+ "high.at=2, " + limit + "high.max=3",
				"limits[0].adaptive.signal = \"disk\" is invalid: there is no such signal. Known: memory, cpu.",
				"Write one of these, or declare a bean of type LoadSignal with that name.", output);
	}

	@ParameterizedTest
	@CsvSource({ "60, 90", "0.5, 60", "-1, 0.5" })
	void loadOfTheCpuIsAFraction(String low, String high, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of(REPLY + "period=60", REPLY + "adaptive.signal=cpu", REPLY + "adaptive.low.at=" + low,
						REPLY + "adaptive.low.max=100", REPLY + "adaptive.high.at=" + high,
						REPLY + "adaptive.high.max=9"));
		assertThat(failure.description()).contains("the load of the cpu is a fraction between 0 and 1.");
	}

	private static Arguments mistake(String properties, String description, String action) {
		return Arguments.of(properties, description, action);
	}

}
