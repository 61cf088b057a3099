package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * A change of a rule is parsed from text, and the message about a mistake states the
 * correction.
 */
class ChangeTests {

	@Test
	void textIsRead() {
		Change change = Change.of("log", " 7 ", "90s", "Shadow", "day");
		assertThat(change.mode()).isEqualTo(Mode.SHADOW);
		assertThat(change.limit()).isEqualTo("day");
		assertThat(change).isEqualTo(Change.of("log", "7", "PT1M30S", "shadow", "day"));
	}

	@Test
	void periodWithoutAUnitMeansSeconds() {
		assertThat(Change.of("log", null, "60", null, null))
			.isEqualTo(Change.of("log", null, Duration.ofMinutes(1).toString(), null, null));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					5.5 | | | | max of "log" = "5.5" is invalid: it is not a whole number.
					many | | | | max of "log" = "many" is invalid: it is not a whole number. Write how many
					99999999999999999999 | | | | is invalid: it is too large. Write how many
					| soon | | | period of "log" = "soon" is invalid: it is not a duration. Write a number and ms, s, m, h or d, "period": "60s" for example; a number alone means seconds.
					| 5 minutes | | | period of "log" = "5 minutes" is invalid: it is not a duration. Write "period": "5m".
					| 9223372036854775807d | | | period of "log" = "9223372036854775807d" is invalid: it is not a duration.
					| | shadwo | | mode of "log" = "shadwo" is invalid: there is no such mode. Write enforce, shadow or off.
					| | | | This would change nothing of the rule "log". Write max, period or mode, {"max": 10} for example.
					| | off | day | limit of "log" = "day" is invalid: the mode is that of the whole rule.
					""")
	void mistakeIsReportedWithItsRemedy(String max, String period, String mode, String limit, String message) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> Change.of("log", max, period, mode, limit))
			.withMessageContaining(message);
	}

	@Test
	void switchIsOnOrOffOrAMistake() {
		assertThat(Change.isTrue("explain", "")).isTrue();
		assertThat(Change.isTrue("explain", "True")).isTrue();
		assertThat(Change.isTrue("explain", "false")).isFalse();
		assertThat(Change.isTrue("explain", null)).isFalse();
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> Change.isTrue("explain", "maybe"))
			.withMessageContaining("explain = \"maybe\" is invalid");
	}

}
