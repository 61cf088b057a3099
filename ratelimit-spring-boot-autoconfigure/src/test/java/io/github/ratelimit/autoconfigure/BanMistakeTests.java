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
 * A mistake in the ban of a rule stops startup with a message that states the correction.
 */
@ExtendWith(OutputCaptureExtension.class)
class BanMistakeTests {

	@ParameterizedTest(name = "{0}")
	@MethodSource
	void ofABanStopsStartup(String properties, String description, String action, CapturedOutput output) {
		RuleMistake.assertStopsStartup("max=5, period=60, " + properties, description, action, output);
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
						"Remove one of the two; a ban counts denied calls by itself."));
	}

}
