package io.github.ratelimit.notation;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The text of a duration uses the largest unit of which it is a whole number.
 */
class DurationTextTests {

	@ParameterizedTest
	@CsvSource({ "PT0S, 0ms", "PT0.001S, 1ms", "PT1.5S, 1500ms", "PT-1.5S, -1500ms", "PT-0.001S, -1ms", "PT1S, 1s",
			"PT-1S, -1s", "PT90S, 90s", "PT2M, 2m", "PT1H, 1h", "PT24H, 1d", "PT8784H, 366d", "PT0.0015S, PT0.0015S",
			"PT9223372036854775807S, 9223372036854775807s", "PT-9223372036854775808S, -9223372036854775808s",
			"PT9223372036854775807.5S, PT2562047788015215H30M7.5S" })
	void isTheLargestWholeUnit(Duration duration, String text) {
		assertThat(DurationText.of(duration)).isEqualTo(text);
	}

}
