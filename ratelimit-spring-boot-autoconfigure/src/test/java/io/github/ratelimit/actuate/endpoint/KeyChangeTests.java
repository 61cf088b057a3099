package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * An override of a key is parsed from text, and added to an earlier one of other limits.
 */
class KeyChangeTests {

	private static final RateLimitRule LOG = RateLimitRule.named("log").limit(5, Duration.ofMinutes(1)).build();

	private static final RateLimitRule SMS = RateLimitRule.named("sms")
		.limit(Limit.of(1, Duration.ofMinutes(1)).withName("minute"))
		.limit(Limit.of(10, Duration.ofDays(1)).withName("day"))
		.build();

	@Test
	void overrideReplacesAnEarlierOne() {
		KeyOverride earlier = KeyOverride.max(9).lasting(Duration.ofDays(1));
		assertThat(change(LOG, "7", null, null, null, null).after(earlier)).isEqualTo(KeyOverride.max(7));
		assertThat(change(LOG, null, null, "", null, "1h").after(earlier))
			.isEqualTo(KeyOverride.blocked().lasting(Duration.ofHours(1)));
		assertThat(change(LOG, null, null, "false", "true", null).after(null)).isEqualTo(KeyOverride.unlimited());
	}

	@Test
	void numberOfALimitIsAddedToThoseOfOthers() {
		KeyOverride minute = change(SMS, "9", "minute", null, null, null).after(null);
		assertThat(minute).isEqualTo(KeyOverride.max("minute", 9));
		assertThat(change(SMS, "90", "sms-day", null, null, null).after(minute).maxima()).containsEntry("day", 90L)
			.containsEntry("minute", 9L)
			.hasSize(2);
		assertThat(change(SMS, "90", "day", null, null, null).after(KeyOverride.blocked()))
			.isEqualTo(KeyOverride.max("day", 90));
	}

	@Test
	void onlyLimitMayBeNamed() {
		assertThat(change(LOG, "7", "log", null, null, null).after(null)).isEqualTo(KeyOverride.max(7));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			textBlock = """
					| | | | | An override of a key of rule "log" has one of max, blocked and unlimited. Write {"max": 900},
					7 | | true | | | has one of max, blocked and unlimited.
					| | true | true | | has one of max, blocked and unlimited.
					| | false | | | has one of max, blocked and unlimited.
					| | maybe | | | blocked = "maybe" is invalid: it is neither true nor false. Write "blocked": true, or leave it out.
					many | | | | | max of "log" = "many" is invalid: it is not a whole number.
					| log | true | | | limit of "log" = "log" is invalid: a key is blocked or unlimited under all limits of the rule.
					7 | | | | soon | lasting of "log" = "soon" is invalid: it is not a duration.
					""")
	void mistakeIsReportedWithItsRemedy(String max, String limit, String blocked, String unlimited, String lasting,
			String message) {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> change(LOG, max, limit, blocked, unlimited, lasting))
			.withMessageContaining(message);
	}

	private static KeyChange change(RateLimitRule rule, String max, String limit, String blocked, String unlimited,
			String lasting) {
		return KeyChange.of(rule, max, limit, blocked, unlimited, lasting);
	}

}
