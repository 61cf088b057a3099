package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.provider.Arguments;

import org.springframework.boot.test.system.CapturedOutput;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Mistake in the properties of a rule that stops startup.
 */
final class RuleMistake {

	static final String REPLY = "ratelimit.rules.reply.";

	private RuleMistake() {
	}

	static Arguments mistake(String properties, String description, String action) {
		return Arguments.of(properties, description, action);
	}

	/**
	 * Start an application with these properties of a rule.
	 */
	static void assertStopsStartup(String properties, String description, String action, CapturedOutput output) {
		List<String> all = Stream.of(properties.split(", ")).map(REPLY::concat).toList();
		StartFailure failure = StartFailure.of(output, List.of(), all);
		assertThat(failure.description()).isEqualTo(REPLY + description);
		assertThat(failure.action()).isEqualTo(action);
	}

}
