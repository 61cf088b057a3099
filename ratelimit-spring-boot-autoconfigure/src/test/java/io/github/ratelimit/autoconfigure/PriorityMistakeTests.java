package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.ratelimit.autoconfigure.RuleMistake.mistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in the classes of calls of a rule stops startup with a message that states
 * the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class PriorityMistakeTests {

	@ParameterizedTest
	@MethodSource
	void ofAClassStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup(properties, description, action, output);
	}

	static Stream<Arguments> ofAClassStopsStartup() {
		String example = "Write a share such as 30%, or units such as 100.";
		String neither = "is invalid: it is neither a share of the capacity nor a number of units.";
		String one = "Remove one of the two, or write a rule of its own for each class of calls.";
		return Stream.of(
				mistake("max=5, period=60, headroom.low=120%",
						"headroom.low = 120% is invalid: the share that stays free is from 0% to 99%.", example),
				mistake("max=5, period=60, headroom.low=100%",
						"headroom.low = 100% is invalid: the share that stays free is from 0% to 99%.", example),
				mistake("max=5, period=60, headroom.low=2000000000",
						"headroom.low = 2000000000 is invalid: the units that stay free are from 0 to 1,000,000,000.",
						example),
				mistake("max=5, period=60, headroom.low=abc", "headroom.low = \"abc\" " + neither, example),
				mistake("max=5, period=60, headroom.low=0.3", "headroom.low = \"0.3\" " + neither, example),
				mistake("max=5, period=60, headroom.low=-1", "headroom.low = \"-1\" " + neither, example),
				mistake("max=5, period=60, headroom.low=", "headroom.low = \"\" " + neither, example),
				mistake("max=5, period=60, headroom.low=5",
						"headroom.low = 5 is invalid: no call of this class would be admitted, since the capacity is 5.",
						"Write fewer units, or a share such as 30%."),
				mistake("max=5, period=60, headroom.low=4, plans.small.max=3",
						"headroom.low = 4 is invalid: under the plan small no call of this class would be admitted, "
								+ "since the capacity is 3.",
						"Write fewer units, or a share such as 30%."),
				mistake("max=5, period=60, headroom.low=4, candidates.small.max=3",
						"headroom.low = 4 is invalid: with the candidate small no call of this class would be "
								+ "admitted, since the capacity is 3.",
						"Write fewer units, or a share such as 30%."),
				mistake("max=5, period=60, headroom[0]=3",
						"headroom[0] = {...} is invalid: headroom is a map of names, not a list.",
						"Write what a class leaves free: ratelimit.rules.reply.headroom.low: 30% for example."),
				mistake("max=5, period=60, headroom=30%", "headroom = \"30%\" is invalid: headroom is a map of names.",
						"Write a name before the value: ratelimit.rules.reply.headroom.low: 30% for example. In YAML a space "
								+ "follows each colon."),
				mistake("max=5, period=60, headroom.Low=3",
						"headroom = \"Low\" is invalid: the name of a class of calls becomes part of metric tags.",
						"Use 1 to 100 lower case letters, digits and hyphens, \"low\" for example."),
				mistake("max=5, period=60, priority=ip",
						"priority = \"ip\" is invalid: the rule has no headroom, so all classes of calls are equal.",
						"Write what a class leaves free, headroom.low: 30% for example; or remove it."),
				mistake("max=5, period=60, headroom.low=1, priority=", "priority = \"\" is invalid: it is empty.",
						"In YAML quote what begins with #, priority: \"header('X-Priority')\" for example; or remove it."),
				mistake("max=5, period=60, headroom.low=1, max-wait=1s",
						"headroom.low = 1 is invalid: max-wait 1s lets calls take units of the future, which then come "
								+ "before those of any class.",
						one),
				mistake("max=5, period=60, headroom.low=1, prefetch=1s",
						"headroom.low = 1 is invalid: prefetch lets instances hold units, and what they hold is free "
								+ "for no class.",
						one),
				mistake("max=5, period=60, headroom.low=30%, algorithm=leaky-bucket",
						"headroom.low = 30% is invalid: leaky-bucket has no capacity that could stay free: it paces "
								+ "calls.",
						one),
				mistake("max=5, period=60, headroom.low=1, algorithm=warm-up, warm-up-period=10m",
						"headroom.low = 1 is invalid: warm-up has no capacity that could stay free: it paces calls.",
						one),
				mistake("max=5, period=60, headroom.low=1, count-denied=true",
						"headroom.low = 1 is invalid: count-denied counts denied calls of a class in what it has to "
								+ "leave free.",
						one));
	}

	@Test
	void placeOfAHeadroomIsNamed(@TempDir Path directory, CapturedOutput output) throws IOException {
		Files.writeString(directory.resolve("application.yml"), """
				ratelimit:
				  rules:
				    reply:
				      max: 5
				      period: 60s
				      headroom:
				        other: 1
				        low: 120%
				""");
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of("spring.config.location=" + directory.toUri()));
		assertThat(failure.description()).startsWith("ratelimit.rules.reply.headroom.low = 120% is invalid: ")
			.endsWith(" It is set in application.yml, line 8.");
	}

}
