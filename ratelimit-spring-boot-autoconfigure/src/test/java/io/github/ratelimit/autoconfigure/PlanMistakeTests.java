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
 * A mistake in the plans of a rule stops startup with a message that states the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class PlanMistakeTests {

	@ParameterizedTest
	@MethodSource
	void ofAPlanStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup(properties, description, action, output);
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
				mistake("limits[0].name=a, limits[0].max=1, limits[0].period=60, plans.pro.limits[0].name=a",
						"plans.pro.limits[0] = {name=a} is invalid: it changes nothing.",
						"Write its numbers, max: 600 for example."),
				mistake("limits[0].name=a, limits[0].max=1, limits[0].period=60, candidates.pro.limits[0].name=a",
						"candidates.pro.limits[0] = {name=a} is invalid: it tries nothing.",
						"Write its values, max: 5 for example."),
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
								+ "Europe/Paris, regardless of the plan.",
						"Change its max only."),
				mistake("max=5, period=60, plans.pro.algorithm=token-bucket",
						"plans.pro.algorithm = \"token-bucket\" is invalid: there is no such property. Known: max, period, "
								+ "burst, limits.",
						"Remove it, or write a known one."));
	}

}
