package io.github.ratelimit.notation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Messages spell attributes as users write them.
 */
class NotationTests {

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					`max: 5`                  | max: 5                  | max = 5                                     | "max": 5
					`period: 60s`             | period: 60s             | period = 60                                 | "period": "60s"
					`period: 100ms`           | period: 100ms           | period = 100, unit = TimeUnit.MILLISECONDS  | "period": "100ms"
					`max-wait: 2s`            | max-wait: 2s            | maxWait = "2s"                              | "max-wait": "2s"
					`algorithm: token-bucket` | algorithm: token-bucket | algorithm = Algorithm.TOKEN_BUCKET          | "algorithm": "token-bucket"
					""")
	void spellsQuotedNames(String quoted, String yaml, String annotation, String json) {
		String message = "Write " + quoted + ", or not: {at: 0.6, max: 5}.";
		String rest = ", or not: {at: 0.6, max: 5}.";
		assertThat(Notation.YAML.print(message)).isEqualTo("Write " + yaml + rest);
		assertThat(Notation.ANNOTATION.print(message)).isEqualTo("Write " + annotation + rest);
		assertThat(Notation.JSON.print(message)).isEqualTo("Write " + json + rest);
	}

}
