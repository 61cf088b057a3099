package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.util.stream.Stream;

import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static io.github.ratelimit.autoconfigure.MistakeTable.assertMistake;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a rule for outgoing requests stops startup with a message that names the
 * property, the value, the reason and the correction.
 */
class OutgoingRuleMistakeTests {

	private static final String AT = "ratelimit.client.requests[0].";

	private static final String KNOWN = "Known: host, method, path, header('name').";

	private static final String REQUEST_ALONE = "An outgoing request has no parameters: write " + AT
			+ "key over the outgoing request alone, host or the text \"'all'\" for example.";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, OutgoingRateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(String properties, String description, String action) {
		this.application.withPropertyValues(MistakeTable.properties(properties, AT))
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
	}

	static Stream<Arguments> stopsStartup() throws IOException {
		return MistakeTable.rows("outgoing-requests", AT);
	}

	@Test
	void keyOfTheRuleThatNeedsAMethodIsRefused() {
		this.application.withPropertyValues(AT + "host=github.com", AT + "rule=api", "ratelimit.rules.api.key=#userId")
			.run((context) -> assertMistake(context.getStartupFailure(),
					"ratelimit.rules.api.key, used by ratelimit.client.requests[0], = \"#userId\" is invalid: it uses "
							+ "the unknown variable 'userId'. " + KNOWN,
					REQUEST_ALONE));
	}

	@Test
	void longestBlockIsATime() {
		this.application.withPropertyValues("ratelimit.client.max-block=0")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.hasMessageContaining("ratelimit.client.max-block = 0ms is invalid"));
	}

	@Test
	void warnsIfThereIsNoClient() throws ClassNotFoundException {
		try (RecordedLog log = new RecordedLog(StartReport.class)) {
			this.application.withPropertyValues(AT + "host=github.com", AT + "rule=api")
				.withClassLoader(new FilteredClassLoader("org.springframework.boot.web.client",
						"org.springframework.boot.web.reactive.function"))
				.run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines()).filteredOn((line) -> line.startsWith("WARNING"))
				.singleElement()
				.asString()
				.startsWith("WARNING ratelimit.client.requests has no effect");
			this.application.withPropertyValues(AT + "host=github.com", AT + "rule=api")
				.run((context) -> assertThat(context).hasNotFailed());
			assertThat(log.lines()).filteredOn((line) -> line.startsWith("WARNING")).hasSize(1);
		}
	}

}
