package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.ratelimit.autoconfigure.RuleMistake.mistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in the calendar of a limit stops startup with a message that states the
 * correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class CalendarMistakeTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofACalendarStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup("max=5, " + properties, description, action, output);
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
				mistake("period=60, zone=@customers.zoneOf(#tenant)",
						"zone = @customers.zoneOf(#tenant) is invalid: it has no effect without a calendar.", calendar),
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
		RuleMistake.assertStopsStartup("calendar=month, limits[0].max=5, limits[0].period=60",
				"calendar = month is invalid: the rule has limits as well.",
				"Write either max and calendar, or limits.", output);
	}

	@ParameterizedTest
	@CsvSource({ "zone=Europe/Paris, zone = Europe/Paris", "first-day=5, first-day = 5" })
	void defaultOfCalendarsWithoutACalendarStopsStartup(String property, String problem, CapturedOutput output) {
		RuleMistake.assertStopsStartup(property + ", limits[0].name=a, limits[0].max=5, limits[0].period=60",
				problem + " is invalid: it has no effect without a calendar.",
				"Write calendar: month for example instead of a period, or remove it.", output);
	}

	@Test
	void differentZoneExpressionsOfOneRuleStopStartup(CapturedOutput output) {
		RuleMistake.assertStopsStartup(
				"limits[0].name=day, limits[0].max=5, limits[0].calendar=day, limits[0].zone=@a.of(#x), "
						+ "limits[1].name=month, limits[1].max=50, limits[1].calendar=month, limits[1].zone=@b.of(#x)",
				"zone = \"@b.of(#x)\" is invalid: another limit of the rule has the zone \"@a.of(#x)\", and a call of "
						+ "the rule is in one zone.",
				"Write the same expression, or two rules.", output);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			@environment.getProperty(#tenan) | uses the unknown variable 'tenan'
			@environment.getProperty(       | is not a SpEL expression
			""")
	void wrongZoneExpressionStopsStartup(String zone, String problem, CapturedOutput output) {
		StartFailure failure = StartFailure.of(output, List.of(Quota.class), List.of("ratelimit.rules.quota.max=5",
				"ratelimit.rules.quota.calendar=day", "ratelimit.rules.quota.zone=" + zone));
		assertThat(failure.description())
			.startsWith("Invalid ratelimit.rules.quota.zone, used by Quota.take(String): zone \"" + zone + "\"")
			.contains(problem);
	}

	static class Quota {

		@RateLimited(name = "quota", key = "#tenant")
		public void take(String tenant) {
		}

	}

}
