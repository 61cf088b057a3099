package io.github.ratelimit.autoconfigure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A limit in the words of other libraries is answered with the property to write, and the
 * application starts with it.
 */
@ExtendWith(OutputCaptureExtension.class)
class OtherWordsTests {

	@ParameterizedTest(name = "{0}, {1}")
	@CsvSource(delimiter = '|',
			textBlock = """
					limit: 5              | period: 60s                                         | max: 5          | 5 per 1m
					limits: 5             | period: 60s                                         | max: 5          | 5 per 1m
					count: 5              | period: 60s                                         | max: 5          | 5 per 1m
					requests: 5           | period: 60s                                         | max: 5          | 5 per 1m
					permits: 5            | period: 60s                                         | max: 5          | 5 per 1m
					rate: 5               | period: 60s                                         | max: 5          | 5 per 1m
					capacity: 5           | period: 60s                                         | max: 5          | 5 per 1m
					capacity: 15          | period: 60s, max: 5, algorithm: token-bucket        | burst: 15       | 5 per 1m with a burst of 15
					window: 60s           | max: 5                                              | period: 60s     | 5 per 1m
					window: 60            | max: 5                                              | period: 60      | 5 per 1m
					duration: 1 hour      | max: 5                                              | period: 1h      | 5 per 1h
					interval: 60s         | max: 5                                              | period: 60s     | 5 per 1m
					interval: 2s          | max: 5, period: 60s                                 | min-interval: 2s | 5 per 1m
					period: 1 minute      | max: 5                                              | period: 1m      | 5 per 1m
					period: 5 minutes     | max: 5                                              | period: 5m      | 5 per 5m
					period: 2 hours       | max: 5                                              | period: 2h      | 5 per 2h
					period: 1 min         | max: 5                                              | period: 1m      | 5 per 1m
					period: 90 sec.       | max: 5                                              | period: 90s     | 5 per 90s
					period: 1 day         | max: 5                                              | period: 1d      | 5 per 1d
					period: One Week      | max: 5                                              | period: 7d      | 5 per 7d
					period: 500 millis    | max: 5                                              | period: 500ms   | 5 per 500ms
					period: 0.5s          | max: 5                                              | period: 500ms   | 5 per 500ms
					period: 1h30m         | max: 5                                              | period: 90m     | 5 per 90m
					period: 1 hour and 1 s | max: 5                                             | period: 3601s   | 5 per 3601s
					max-wait: 2 seconds   | max: 5, period: 60s, algorithm: leaky-bucket        | max-wait: 2s    | 5 per 1m
					""")
	void oneIsNamed(String written, String rest, String remedy, String rule, @TempDir Path directory,
			CapturedOutput output) throws IOException {
		assertStartsWith(written, rest, "Write " + remedy + '.', remedy, rule, directory, output);
	}

	@ParameterizedTest(name = "{0}, {1}")
	@CsvSource(delimiter = '|', textBlock = """
			rate: 5/60s         | mode: shadow | max: 5 | period: 60s | 5 per 1m
			rate: 5/s           | mode: shadow | max: 5 | period: 1s  | 5 per 1s
			limit: 5 per minute | mode: shadow | max: 5 | period: 1m  | 5 per 1m
			limits: 5/60s       | mode: shadow | max: 5 | period: 60s | 5 per 1m
			requests: 100/2h    | mode: shadow | max: 100 | period: 2h | 100 per 2h
			""")
	void bothPartsOfARateAreNamed(String written, String rest, String max, String period, String rule,
			@TempDir Path directory, CapturedOutput output) throws IOException {
		assertStartsWith(written, rest, "Write " + max + " and " + period + '.', max + ", " + period, rule, directory,
				output);
	}

	@ParameterizedTest(name = "{0}, {1}")
	@CsvSource(delimiter = '|',
			textBlock = """
					unit: minutes | max: 5, period: 2 | Write the unit with the number, period: 2m for example. | period: 2m | 5 per 2m
					unit: HOURS   | max: 5            | Write the unit with the number, period: 1h for example. | period: 1h | 5 per 1h
					unit: seconds | max: 5, period: 2m | Write the unit with the number, period: 1s for example. | period: 1s | 5 per 1s
					""")
	void unitBelongsToThePeriod(String written, String rest, String action, String remedy, String rule,
			@TempDir Path directory, CapturedOutput output) throws IOException {
		assertStartsWith(written, rest, action, remedy, rule, directory, output);
	}

	private static void assertStartsWith(String written, String rest, String action, String remedy, String rule,
			Path directory, CapturedOutput output) throws IOException {
		Files.writeString(directory.resolve("application.yml"), yaml(written, rest));
		StartFailure failure = StartFailure.of(output, List.of(),
				List.of("spring.config.location=" + directory.toUri()));
		assertThat(failure.description())
			.startsWith("ratelimit.rules.reply." + written.substring(0, written.indexOf(':')))
			.endsWith(" It is set in application.yml, line 4.");
		assertThat(failure.action()).isEqualTo(action);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withInitializer(YamlContext.with(yaml(remedy, rest.replaceAll(", period: 2m?$", ""))))
			.run((context) -> assertThat(context.getBean(RateLimiterRegistry.class).rules())
				.extracting(RateLimitRule::toString)
				.singleElement()
				.asString()
				.contains(rule));
	}

	private static String yaml(String first, String rest) {
		return "ratelimit:\n  rules:\n    reply:\n      " + (first + ", " + rest).replace(", ", "\n      ");
	}

}
