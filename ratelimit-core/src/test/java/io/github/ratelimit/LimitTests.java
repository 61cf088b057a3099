package io.github.ratelimit;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class LimitTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@ParameterizedTest
	@MethodSource
	void refusesInvalidValues(Supplier<Limit> limit, String attribute, String message) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(limit::get)
			.withMessage(message)
			.extracting(InvalidAttributeException::attribute)
			.isEqualTo(attribute);
	}

	static Stream<Arguments> refusesInvalidValues() {
		return Stream.of(refused(() -> Limit.of(0, MINUTE), "max",
				"max = 0 is invalid: it has to be between 1 and 1000000000. Write how many units may pass, max: 5 for example."),
				refused(() -> Limit.of(-1, MINUTE), "max",
						"max = -1 is invalid: it has to be between 1 and 1000000000. Write how many units may pass, max: 5 for example."),
				refused(() -> Limit.of(1_000_000_001, MINUTE), "max",
						"max = 1000000001 is invalid: it has to be between 1 and 1000000000. Write how many units may pass, max: 5 for example."),
				refused(() -> Limit.of(5, Duration.ZERO), "period",
						"period = 0ms is invalid: it has to be between 1 ms and 366 days. Write a duration, period: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, Duration.ofMillis(-1)), "period",
						"period = -1ms is invalid: it has to be between 1 ms and 366 days. Write a duration, period: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, Duration.ofNanos(999_999)), "period",
						"period = PT0.000999999S is invalid: it has to be between 1 ms and 366 days. Write a duration, period: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, Limit.MAX_PERIOD.plusMillis(1)), "period",
						"period = 31622400001ms is invalid: it has to be between 1 ms and 366 days. Write a duration, period: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, Duration.ofSeconds(Long.MAX_VALUE)), "period",
						"period = 9223372036854775807s is invalid: it has to be between 1 ms and 366 days. Write a duration, period: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, MINUTE).withMinInterval(Duration.ofDays(1_000_000_000_000L)), "min-interval",
						"min-interval = 1000000000000d is invalid: it has to be between 1 ms and 366 days. Write a duration, min-interval: 60s for example; a number without a unit means seconds."),
				refused(() -> Limit.of(5, Duration.ofNanos(1_500_000)), "period",
						"period = PT0.0015S is invalid: it has to be a whole number of milliseconds. Round it, period: 100ms for example."),
				refused(() -> Limit.of(5, MINUTE).withBurst(0), "burst",
						"burst = 0 is invalid: it has to be between 1 and 1000000000. Write how many units may pass, burst: 5 for example."),
				refused(() -> Limit.of(5, MINUTE).withBurst(1_000_000_001), "burst",
						"burst = 1000000001 is invalid: it has to be between 1 and 1000000000. Write how many units may pass, burst: 5 for example."),
				refused(() -> Limit.of(5, MINUTE).withAlgorithm(Algorithm.SLIDING_LOG).withBurst(10), "burst",
						"burst = 10 is invalid: it has no effect with the algorithm sliding-log, only with token-bucket and leaky-bucket. Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				refused(() -> Limit.of(5, MINUTE).withBurst(10).withAlgorithm(Algorithm.SLIDING_LOG), "burst",
						"burst = 10 is invalid: it has no effect with the algorithm sliding-log, only with token-bucket and leaky-bucket. Remove it, or write algorithm: token-bucket or algorithm: leaky-bucket."),
				refused(() -> Limit.of(1, Duration.ofDays(30)).withBurst(200), "burst",
						"burst = 200 is invalid: at 1 per 30d an empty bucket takes more than 3660 days to refill. Write a smaller burst or a higher rate."),
				refused(() -> Limit.of(10_001, MINUTE).withAlgorithm(Algorithm.SLIDING_LOG), "max",
						"max = 10001 is invalid: the algorithm sliding-log keeps one entry per admitted unit, so max is at most 10000. Write algorithm: token-bucket, which keeps two numbers for any max, or algorithm: sliding-window, which keeps one per segment, or lower max."),
				refused(() -> Limit.of(5, MINUTE).withName("Minute"), "name",
						"name = \"Minute\" is invalid: the name of a limit becomes part of keys and headers. Use 1 to 100 lower case letters, digits and hyphens, name: minute for example."));
	}

	private static Arguments refused(Supplier<Limit> limit, String attribute, String message) {
		return arguments(limit, attribute, message);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a:b", "a}", "ä", "a_b", "A", "a\n" })
	void refusesNamesThatWouldNotFitIntoKeys(String name) {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> Limit.of(5, MINUTE).withName(name));
	}

	@Test
	void acceptsNamesOfOneHundredCharactersAtMost() {
		String longest = "a".repeat(100);
		assertThat(Limit.of(5, MINUTE).withName(longest).name()).isEqualTo(longest);
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> Limit.of(5, MINUTE).withName(longest + 'a'))
			.withMessageEndingWith("Use 1 to 100 lower case letters, digits and hyphens, name: minute for example.");
	}

	@Test
	void acceptsTheWholeRange() {
		for (long max : new long[] { 1, Limit.MAX_UNITS }) {
			for (Duration period : new Duration[] { Duration.ofMillis(1), Limit.MAX_PERIOD }) {
				Limit limit = Limit.of(max, period).withAlgorithm(Algorithm.TOKEN_BUCKET);
				assertThat(limit.max()).isEqualTo(max);
				assertThat(limit.period()).isEqualTo(period);
				assertThat(limit.periodMicros()).isEqualTo(period.toMillis() * 1000);
			}
		}
		assertThat(Limit.of(10_000, MINUTE).withAlgorithm(Algorithm.SLIDING_LOG).max()).isEqualTo(10_000);
		assertThat(Limit.of(1, Limit.MAX_PERIOD).withBurst(10).capacity()).isEqualTo(10);
	}

	@Test
	void capacityIsTheBurstElseMax() {
		assertThat(Limit.of(30, MINUTE).capacity()).isEqualTo(30);
		assertThat(Limit.of(30, MINUTE).withBurst(15).capacity()).isEqualTo(15);
	}

	@Test
	void changesOnlyTheGivenAttribute() {
		Limit limit = Limit.of(30, MINUTE).withName("minute").withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(15);
		assertThat(limit.withName("other").withName("minute")).isEqualTo(limit).hasSameHashCodeAs(limit);
		assertThat(limit).hasToString("token-bucket 30 per 1m with a burst of 15");
		assertThat(limit.withName("other")).isNotEqualTo(limit);
		assertThat(limit.withBurst(16)).isNotEqualTo(limit);
		assertThat(Limit.of(30, MINUTE)).hasToString("default 30 per 1m").isNotEqualTo(Limit.of(31, MINUTE));
	}

	@Test
	void builderChecksValuesTogether() {
		Limit slow = Limit.of(1, Duration.ofDays(30));
		assertThat(slow.toBuilder().burst(200).period(MINUTE).build()).isEqualTo(Limit.of(1, MINUTE).withBurst(200));
	}

	@Test
	void builderChangesNoLimitThatItHasBuilt() {
		Limit.Builder builder = Limit.builder().max(5).period(MINUTE);
		Limit five = builder.build();
		assertThat(builder.max(6).build()).isEqualTo(Limit.of(6, MINUTE));
		assertThat(five).isEqualTo(Limit.of(5, MINUTE));
	}

	@Test
	void algorithmReturnsToTheDefault() {
		Limit limit = Limit.of(5, MINUTE);
		assertThat(limit.withAlgorithm(Algorithm.TOKEN_BUCKET).withAlgorithm(Algorithm.DEFAULT)).isEqualTo(limit);
	}

	@Test
	void exceptionNamesThePlaceOnceItIsKnown() {
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(() -> Limit.of(0, MINUTE))
			.satisfies((ex) -> assertThat(ex.at("ratelimit.rules.reply.max"))
				.extracting(InvalidAttributeException::attribute, InvalidAttributeException::description,
						InvalidAttributeException::action)
				.containsExactly("max",
						"ratelimit.rules.reply.max = 0 is invalid: it has to be between 1 and 1000000000.",
						"Write how many units may pass, max: 5 for example."));
	}

}
