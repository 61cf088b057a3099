package io.github.ratelimit.autoconfigure;

import java.util.List;
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
 * A property that cannot be bound, because of its value's type, its name or its position,
 * stops startup with a message that states the correct form.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnreadablePropertyTests {

	private static final String REPLY = "ratelimit.rules.reply.";

	/**
	 * Values that Spring Boot cannot convert.
	 */
	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofAValueOfAnotherTypeStopsStartup(String property, String description, String action, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(property));
		String[] parts = property.split("=", 2);
		assertThat(failure.description()).isEqualTo(parts[0] + " = \"" + parts[1] + "\" is invalid: " + description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> ofAValueOfAnotherTypeStopsStartup() {
		String duration = "Write a number and ms, s, m, h or d, ";
		String algorithms = "it is not one of sliding-log, token-bucket, weighted-window, sliding-window, fixed-window, "
				+ "leaky-bucket, warm-up, concurrency.";
		return Stream.of(
				mistake(REPLY + "algorithm=slidng-log", algorithms + " Did you mean sliding-log?",
						"Write algorithm: sliding-log."),
				mistake(REPLY + "algorithm=best", algorithms, "Write algorithm: sliding-log for example."),
				mistake(REPLY + "mode=shadwo", "it is not one of enforce, shadow, off. Did you mean shadow?",
						"Write mode: shadow."),
				mistake("ratelimit.verification=off", "it is not one of fail, warn.",
						"Write verification: fail for example."),
				mistake(REPLY + "algorithm=leaky", algorithms + " Did you mean leaky-bucket?",
						"Write algorithm: leaky-bucket."),
				mistake("ratelimit.store=memory", "it is not one of auto, redis, jdbc, local. Did you mean local?",
						"Write store: local."),
				mistake("ratelimit.defaults.mode=dry-run",
						"it is not one of enforce, shadow, off. Did you mean shadow?", "Write mode: shadow."),
				mistake("ratelimit.defaults.mode=none", "it is not one of enforce, shadow, off.",
						"Write mode: enforce for example."),
				mistake("ratelimit.web.headers=x-rate-limits",
						"it is not one of ietf, ietf-11, x-ratelimit, none. Did you mean x-ratelimit?",
						"Write headers: x-ratelimit."),
				mistake("ratelimit.web.requests[0].methods=GET,PSOT",
						"it is not one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, TRACE.",
						"Write methods: GET for example."),
				mistake(REPLY + "zone=Europe/Pariss", "it is not a time zone. Did you mean Europe/Paris?",
						"Write zone: Europe/Paris."),
				mistake(REPLY + "zone=home", "it is not a time zone.", "Write zone: Europe/Paris for example."),
				mistake(REPLY + "first-day=first", "it is not a whole number.", "Write first-day: 15 for example."),
				mistake(REPLY + "period=soon", "it is not a duration.",
						duration + "period: 60s for example; a number alone means seconds."),
				mistake(REPLY + "period=60sec", "it is not a duration.", "Write period: 1m."),
				mistake(REPLY + "max-wait=5 minutes", "it is not a duration.", "Write max-wait: 5m."),
				mistake(REPLY + "max-wait=a while", "it is not a duration.",
						duration + "max-wait: 60s for example; a number alone means seconds."),
				mistake(REPLY + "min-interval=200 millis", "it is not a duration.", "Write min-interval: 200ms."),
				mistake(REPLY + "min-interval=short", "it is not a duration.",
						duration + "min-interval: 200ms for example; a number alone means seconds."),
				mistake("ratelimit.redis.timeout=soon", "it is not a duration.",
						duration + "timeout: 100ms for example; a number alone means milliseconds."),
				mistake(REPLY + "max=five", "it is not a whole number.", "Write max: 5 for example."),
				mistake(REPLY + "max=5.5", "it is not a whole number.", "Write max: 5 for example."),
				mistake("ratelimit.redis.fallback-share=half", "it is not a number.",
						"Write fallback-share: 1 for example."),
				mistake("ratelimit.enabled=sure", "it is neither true nor false.",
						"Write enabled: true or enabled: false."));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					ratelimit.rules.reply=5/60s           | max: 5 and period: 60s for example
					ratelimit.redis=localhost:6379        | timeout, fallback-share, batching, max-pending, sharding, connection-factory, deny-cache
					ratelimit.rules.reply.adaptive=memory | signal, low, high
					""")
	void ofAGroupOfPropertiesStopsStartup(String property, String children, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(property));
		assertThat(failure.description())
			.isEqualTo(property.replace("=", " = \"") + "\" is invalid: it is a group of properties.");
		assertThat(failure.action())
			.isEqualTo("Write the properties below it: " + children + ". In YAML a space follows each colon.");
	}

	@Test
	void ofARuleWithoutANameStopsStartup(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of("ratelimit.rules.max=5"));
		assertThat(failure.description()).isEqualTo("ratelimit.rules.max = \"5\" is invalid: rules is a map of names.");
		assertThat(failure.action()).isEqualTo("Write a name before it: ratelimit.rules.reply.max for example.");
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofANameStopsStartup(String property, String description, String action, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(property));
		String[] parts = property.split("=", 2);
		assertThat(failure.description())
			.isEqualTo(parts[0] + " = \"" + parts[1] + "\" is invalid: there is no such property. " + description);
		assertThat(failure.action()).isEqualTo(action);
	}

	static Stream<Arguments> ofANameStopsStartup() {
		return Stream.of(
				mistake(REPLY + "perod=60s", "Did you mean ratelimit.rules.reply.period?", "Write period: 60s."),
				mistake(REPLY + "maxx=5", "Did you mean ratelimit.rules.reply.max?", "Write max: 5."),
				mistake("ratelimit.defaultz.algorithm=token-bucket", "Did you mean ratelimit.defaults.algorithm?",
						"Write ratelimit.defaults.algorithm."),
				mistake("ratelimit.rules.sms.limits[0].preiod=60s",
						"Did you mean ratelimit.rules.sms.limits[0].period?", "Write period: 60s."),
				mistake("ratelimit.web.requests[0].paths=/**", "Did you mean ratelimit.web.requests[0].path?",
						"Write path: /**."),
				mistake("ratelimit.rules.reply.adaptive.lo.max=5",
						"Did you mean ratelimit.rules.reply.adaptive.low.max?",
						"Write ratelimit.rules.reply.adaptive.low.max."),
				mistake("ratelimit.reply.max=5", "Did you mean ratelimit.rules.reply.max?",
						"Write ratelimit.rules.reply.max."),
				mistake("ratelimit.timeout=100ms", "Did you mean ratelimit.redis.timeout?",
						"Write ratelimit.redis.timeout."),
				mistake("ratelimit.rule.reply.max=5", "Did you mean ratelimit.rules.reply.max?",
						"Write ratelimit.rules.reply.max."),
				mistake("ratelimit.redis.host=localhost",
						"Known: timeout, fallback-share, batching, max-pending, sharding, connection-factory, deny-cache.",
						"Remove it, or write a known one."));
	}

	@Test
	void severalUnknownNamesAreReportedTogether(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(), List.of(REPLY + "perod=60s", REPLY + "maxx=5"));
		assertThat(failure.description()).contains("Did you mean ratelimit.rules.reply.period?",
				"Did you mean ratelimit.rules.reply.max?");
		assertThat(failure.action()).contains("Write period: 60s.", "Write max: 5.");
	}

	@Test
	void gapInAListStopsStartup(CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of(REPLY + "limits[0].name=a", REPLY + "limits[0].max=1", REPLY + "limits[0].period=1m",
						REPLY + "limits[2].name=b", REPLY + "limits[2].max=1", REPLY + "limits[2].period=1h"));
		assertThat(failure.description()).contains(
				"ratelimit.rules.reply.limits[2].max = \"1\" is invalid: it is not read: the elements of a list are "
						+ "read until a number is missing.");
		assertThat(failure.action()).contains("Number them without a gap: [0], [1], [2].");
	}

	private static Arguments mistake(String property, String description, String action) {
		return Arguments.of(property, description, action);
	}

}
