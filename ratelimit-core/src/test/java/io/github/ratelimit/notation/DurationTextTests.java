package io.github.ratelimit.notation;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DurationText}.
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

	@ParameterizedTest
	@CsvSource({ "PT0S, 0 ms", "PT0.000001S, 1 ms", "PT0.25S, 250 ms", "PT0.9999S, 1000 ms", "PT1S, 1 s",
			"PT1.000001S, 2 s", "PT120S, 120 s", "PT120.001S, 2 min 1 s", "PT15M, 15 min", "PT59M59.5S, 1 h",
			"PT13989S, 3 h 54 min", "PT23H59M1S, 1 d", "P2DT3H0.001S, 2 d 4 h", "PT777599.953S, 9 d" })
	void isRoundedUpInTwoUnitsForPeople(Duration duration, String text) {
		assertThat(DurationText.roundedUp(duration)).isEqualTo(text);
	}

}
