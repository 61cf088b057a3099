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
 * A mistake in the schedule of a rule stops startup with a message that states the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class ScheduleMistakeTests {

	@ParameterizedTest
	@MethodSource
	void ofAScheduleStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup("max=5, period=60, plans.office.max=3, schedule[0]." + properties, description,
				action, output);
	}

	static Stream<Arguments> ofAScheduleStopsStartup() {
		String days = "Write days: mon-fri or days: sat, sun for example.";
		String to = "Write it in quotes, to: \"18:00\" for example.";
		return Stream.of(
				mistake("plan=offices", "schedule[0].plan = \"offices\" is invalid: the rule has no plan of this name.",
						"Name one of these: office."),
				mistake("plan=", "schedule[0].plan is missing: an entry of a schedule selects a plan.",
						"Write the name of one of the plans of the rule."),
				mistake("plan=office, schedule[0].days=mon-fry",
						"schedule[0].days = \"fry\" is invalid: it is no day of the week.", days),
				mistake("plan=office, schedule[0].days=mon-tue-wed",
						"schedule[0].days = \"mon-tue-wed\" is invalid: it is no day of the week.", days),
				mistake("plan=office, schedule[0].days=",
						"schedule[0].days = [] is invalid: the plan would never hold.",
						"Write days: mon-fri for example, or leave it out for every day."),
				mistake("plan=office, schedule[0].to=1080",
						"schedule[0].to = 1080 is invalid: it is no time of day: YAML reads 18:00 without quotes as the "
								+ "number 1080.",
						to),
				mistake("plan=office, schedule[0].to=25:00", "schedule[0].to = 25:00 is invalid: it is no time of day.",
						to),
				mistake("plan=office, schedule[0].zone=Europe/Pariss",
						"schedule[0].zone = \"Europe/Pariss\" is invalid: it is not a time zone.",
						"Write zone: Europe/Paris for example."),
				mistake("plan=office, schedule[0].until=18:00",
						"schedule[0].until = \"18:00\" is invalid: there is no such property. Known: plan, days, from, "
								+ "to, zone.",
						"Remove it, or write a known one."));
	}

}
