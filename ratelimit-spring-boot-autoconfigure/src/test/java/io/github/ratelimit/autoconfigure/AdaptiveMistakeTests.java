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

import static io.github.ratelimit.autoconfigure.RuleMistake.REPLY;
import static io.github.ratelimit.autoconfigure.RuleMistake.mistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in an adaptive limit stops startup with a message that states the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class AdaptiveMistakeTests {

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
		RuleMistake.assertStopsStartup(joined, description, action, output);
	}

	static Stream<Arguments> ofAnAdaptiveLimitStopsStartup() {
		String log = "Write algorithm: token-bucket, which keeps two numbers for any max, or "
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
		RuleMistake.assertStopsStartup(
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

}
