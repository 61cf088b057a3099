package io.github.ratelimit.autoconfigure;

import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RecordedLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A mistake in a rule for outgoing requests stops startup with a message that names the
 * property, the value, the reason and the correction.
 */
class OutgoingRuleMistakeTests {

	private static final String AT = "ratelimit.client.requests[0].";

	private static final String KNOWN = "Known: host, method, path, header('name').";

	private static final String REQUEST_ALONE = "An outgoing request has no parameters: write " + AT
			+ "key over the outgoing request alone, host for example.";

	private static final String HOSTS = "Write host: api.example.com, host: api.example.com:8443, or host: "
			+ "\"*.example.com\" for all hosts below it.";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, OutgoingRateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.rules.api.max=5", "ratelimit.rules.api.period=60");

	@ParameterizedTest
	@MethodSource
	void stopsStartup(String properties, String description, String action) {
		this.application.withPropertyValues(Stream.of(properties.split(", ")).map(AT::concat).toArray(String[]::new))
			.run((context) -> assertMistake(context.getStartupFailure(), description, action));
	}

	static Stream<Arguments> stopsStartup() {
		return Stream.of(
				Arguments.of("rule=api", AT + "host is missing: it selects the outgoing requests to limit.",
						"Write host: api.example.com, or host: \"*.example.com\" for all hosts below it."),
				Arguments.of("host=https://api.github.com/v3, rule=api", AT
						+ "host = \"https://api.github.com/v3\" is invalid: it is not a host: it has no scheme and no "
						+ "path, and a * stands only in front of a whole domain.", "Write host: api.github.com."),
				Arguments.of("host=*github.com, rule=api", AT
						+ "host = \"*github.com\" is invalid: it is not a host: it has no scheme and no path, and a * "
						+ "stands only in front of a whole domain.", HOSTS),
				Arguments.of("host=github.com:0, rule=api",
						AT + "host = \"github.com:0\" is invalid: a port is between 1 and 65535.", HOSTS),
				Arguments.of("host=github.com", AT + "rule is missing: it determines how many requests are admitted.",
						"Write the name of a rule, rule: api for example. Known: api."),
				Arguments.of("host=github.com, rule=apy",
						AT + "rule = \"apy\" is invalid: there is no such rule. Known: api. Did you mean api?",
						"Write rule: api, or add ratelimit.rules.apy: {max: 5, period: 60s}."),
				Arguments.of("host=github.com, rule=api, key=",
						AT + "key = \"\" is invalid: it is empty, so that all outgoing requests share one counter.",
						"Remove it, or write an expression, key: host for example; for one counter on purpose write a "
								+ "text, key: \"'all'\"."),
				Arguments.of("host=github.com, rule=api, key=#userId",
						AT + "key = \"#userId\" is invalid: it uses the unknown variable 'userId'. " + KNOWN,
						REQUEST_ALONE),
				Arguments.of("host=github.com, rule=api, key=ip",
						AT + "key = \"ip\" is invalid: it uses the unknown property 'ip'. " + KNOWN, REQUEST_ALONE),
				Arguments
					.of("host=github.com, rule=api, key=host +",
							AT + "key = \"host +\" is invalid: it is not a SpEL expression: EL1042E: Problem parsing "
									+ "right operand.",
							"Write host, path, method or header('X-Api-Key') for example."));
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

	private static void assertMistake(Throwable failure, String description, String action) {
		assertThat(failure).isInstanceOfSatisfying(RateLimitConfigurationException.class, (mistake) -> {
			assertThat(mistake.description()).isEqualTo(description);
			assertThat(mistake.action()).isEqualTo(action);
		});
	}

}
