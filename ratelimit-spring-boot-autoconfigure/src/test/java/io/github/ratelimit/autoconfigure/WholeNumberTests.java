package io.github.ratelimit.autoconfigure;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A fraction in YAML is refused instead of rounded if a whole number is required.
 */
class WholeNumberTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class));

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					rules.reply: {max: 5.7, period: 60s}                                      | ratelimit.rules.reply.max = 5.7 | max: 5
					rules.reply: {max: 5.0, period: 60s}                                      | ratelimit.rules.reply.max = 5.0 | max: 5
					rules.reply: {max: 5, period: 60s, algorithm: token-bucket, burst: 1.5}   | ratelimit.rules.reply.burst = 1.5 | burst: 10
					rules.reply: {max: 5, period: 60s, algorithm: sliding-window, segments: 2.5} | ratelimit.rules.reply.segments = 2.5 | segments: 10
					rules.reply.limits: [{name: day, max: 1.5, period: 1d}]                   | ratelimit.rules.reply.limits[0].max = 1.5 | max: 5
					local.max-keys: 1.5                                                       | ratelimit.local.max-keys = 1.5 | max-keys: 100000
					""")
	void fractionIsRefused(String yaml, String where, String remedy) {
		this.runner.withInitializer(YamlContext.with("ratelimit." + yaml)).run((context) -> {
			BindException failure = failure(context.getStartupFailure());
			assertThat(BindingMistakes.of(failure, new MockEnvironment())).satisfies((mistake) -> {
				assertThat(mistake.description()).startsWith(where + " is invalid: it is not a whole number.");
				assertThat(mistake.action()).isEqualTo("Write " + remedy + " for example.");
			});
		});
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			rules.reply: {max: 5, period: 60s}
			redis.fallback-share: 0.25
			""")
	void otherNumbersAreBound(String yaml) {
		this.runner.withInitializer(YamlContext.with("ratelimit." + yaml))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static BindException failure(Throwable failure) {
		for (Throwable each = failure; each != null; each = each.getCause()) {
			if (each instanceof BindException found) {
				return found;
			}
		}
		throw new AssertionError("No BindException", failure);
	}

}
