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
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a property stops startup with a message that names the property, the
 * value, the reason and the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class PropertyMistakeTests {

	private static final String REPLY = "ratelimit.rules.reply.";

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void stopsStartup(String properties, String description, String action, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(properties.split(", ")));
		assertThat(failure.description()).isEqualTo(description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> stopsStartup() {
		return Stream.of(
				mistake("ratelimit.defaults.algorithm=default",
						"ratelimit.defaults.algorithm = default is invalid: it would be its own default.",
						"Write algorithm: sliding-log or algorithm: token-bucket for example."),
				mistake("ratelimit.redis.fallback-share=1.5",
						"ratelimit.redis.fallback-share = 1.5 is invalid: it is the part of each limit that one instance "
								+ "admits by itself.",
						"Write a number above 0 and up to 1, fallback-share: 0.25 for 4 instances."),
				mistake("ratelimit.redis.fallback-share=0",
						"ratelimit.redis.fallback-share = 0.0 is invalid: it is the part of each limit that one instance "
								+ "admits by itself.",
						"Write a number above 0 and up to 1, fallback-share: 0.25 for 4 instances."),
				mistake("ratelimit.redis.max-pending=0",
						"ratelimit.redis.max-pending = 0 is invalid: Redis could never be asked.",
						"Write how many calls may wait for Redis, max-pending: 10000 for example."),
				mistake("ratelimit.redis.deny-cache.max-size=0",
						"ratelimit.redis.deny-cache.max-size = 0 is invalid: nothing could be remembered.",
						"Write how many denials to remember, max-size: 10000 for example, or enabled: false."),
				mistake("ratelimit.redis.deny-cache.max-ttl=0s",
						"ratelimit.redis.deny-cache.max-ttl = 0ms is invalid: nothing could be remembered.",
						"Write how long, max-ttl: 1s for example, or enabled: false."),
				mistake("ratelimit.redis.timeout=0ms",
						"ratelimit.redis.timeout = 0ms is invalid: no answer of Redis could ever be in time.",
						"Write how long a call may wait, timeout: 100ms for example."),
				mistake("ratelimit.redis.timeout=61s",
						"ratelimit.redis.timeout = 61s is invalid: callers would wait that long for a Redis that hangs.",
						"Write how long a call may wait, timeout: 100ms for example and at most 60s."),
				mistake("ratelimit.redis.timeout=300000d",
						"ratelimit.redis.timeout = 300000d is invalid: callers would wait that long for a Redis that hangs.",
						"Write how long a call may wait, timeout: 100ms for example and at most 60s."),
				mistake("ratelimit.adaptive.interval=0",
						"ratelimit.adaptive.interval = 0ms is invalid: there has to be a pause between two readings of a "
								+ "signal.",
						"Write how often signals are read, interval: 1s for example."),
				mistake("ratelimit.adaptive.interval=-1s",
						"ratelimit.adaptive.interval = -1s is invalid: there has to be a pause between two readings of a "
								+ "signal.",
						"Write how often signals are read, interval: 1s for example."),
				mistake("ratelimit.local.max-keys=0",
						"ratelimit.local.max-keys = 0 is invalid: nothing could be counted.",
						"Write how many keys to keep, max-keys: 100000 for example."),
				mistake("ratelimit.web.ipv6-prefix=0",
						"ratelimit.web.ipv6-prefix = 0 is invalid: an IPv6 address has 128 bits.",
						"Write a number from 1 to 128, ipv6-prefix: 64 for the usual network of one client."),
				mistake("ratelimit.web.ipv6-prefix=129",
						"ratelimit.web.ipv6-prefix = 129 is invalid: an IPv6 address has 128 bits.",
						"Write a number from 1 to 128, ipv6-prefix: 64 for the usual network of one client."),
				mistake("ratelimit.key-prefix= ",
						"ratelimit.key-prefix = \" \" is invalid: keys without a prefix would mix with those of others.",
						"Write a word, key-prefix: ratelimit for example."),
				mistake("ratelimit.store=redis",
						"ratelimit.store = redis is invalid: there is no RedisConnectionFactory bean.",
						"Add spring-boot-starter-data-redis and configure spring.data.redis, or set "
								+ "ratelimit.store to local."),
				mistake("ratelimit.rules.Reply_1.max=5, ratelimit.rules.Reply_1.period=60",
						"ratelimit.rules.Reply_1 = \"Reply_1\" is invalid: "
								+ "the name of a rule becomes part of Redis keys, headers and metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"reply-1\" for example."),
				mistake("ratelimit.rules.sms.limits[0].max=5, ratelimit.rules.sms.limits[0].period=60, "
						+ "ratelimit.rules.sms.limits[1].max=9, ratelimit.rules.sms.limits[1].period=1d",
						"ratelimit.rules.sms.limits[].name is missing: rule \"sms\" has several limits, and each needs a name of its own.",
						"Name them, \"minute\" and \"day\" for example."),
				mistake("ratelimit.rules.sms.limits[0].name=day, ratelimit.rules.sms.limits[0].max=5, "
						+ "ratelimit.rules.sms.limits[0].period=60, ratelimit.rules.sms.limits[1].name=day, "
						+ "ratelimit.rules.sms.limits[1].max=9, ratelimit.rules.sms.limits[1].period=1d",
						"ratelimit.rules.sms.limits[].name = day is invalid: rule \"sms\" has several limits, and each needs a name of its own.",
						"Name them, \"minute\" and \"day\" for example."));
	}

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

	/**
	 * A huge duration in any unit neither overflows nor turns into a small one.
	 */
	@ParameterizedTest(name = "{0}={1}")
	@MethodSource
	void ofADurationBeyondAllMeasureStopsStartup(String property, String duration, CapturedOutput output) {
		String rule = property.contains("limits") ? REPLY + "limits[0].max" : REPLY + "max";
		List<String> properties = List.of(rule + "=5", REPLY + "algorithm=warm-up", property + '=' + duration,
				property.endsWith(".period") ? "debug=false" : REPLY + "period=60s");
		StartFailure failure = StartFailure.of(output, List.of(), properties);
		assertThat(failure.description()).startsWith(property + " = ").contains(duration, " is invalid: ");
		assertThat(failure.action()).startsWith("Write ")
			.contains(property.substring(property.lastIndexOf('.') + 1) + ": ");
	}

	static Stream<Arguments> ofADurationBeyondAllMeasureStopsStartup() {
		List<String> properties = List.of(REPLY + "period", REPLY + "max-wait", REPLY + "prefetch",
				REPLY + "min-interval", REPLY + "warm-up-period", REPLY + "limits[0].period", "ratelimit.redis.timeout",
				"ratelimit.redis.deny-cache.max-ttl", "ratelimit.adaptive.interval");
		return Stream.of("1000000000000d", "9223372036854775807d")
			.flatMap((duration) -> properties.stream().map((property) -> Arguments.of(property, duration)));
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

	@Test
	void shareOfARuleThatIsNoneStopsStartup(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(UnreachableRedis.class),
				List.of("ratelimit.redis.fallback-share=0.5", REPLY + "max=3", REPLY + "period=366d",
						REPLY + "algorithm=token-bucket", REPLY + "burst=32"));
		assertThat(failure.description())
			.isEqualTo("ratelimit.redis.fallback-share = 0.5 is invalid: while Redis cannot "
					+ "answer, one instance would count the rule \"reply\", token-bucket 3 per 366d with a burst of 32, with "
					+ "a max of 1, and then burst = 16 is invalid: at 1 per 366d an empty bucket takes more than 3660 days to "
					+ "refill. Write a smaller burst or a higher rate.");
		assertThat(failure.action())
			.isEqualTo("Write a larger share, or on-store-failure: allow or deny for this rule.");
	}

	private static Arguments mistake(String properties, String description, String action) {
		return Arguments.of(properties, description, action);
	}

	@Configuration(proxyBeanMethods = false)
	static class UnreachableRedis {

		@Bean
		LettuceConnectionFactory redis() {
			return new LettuceConnectionFactory("localhost", 1);
		}

	}

}
