package io.github.ratelimit.override;

import java.time.Instant;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.engine.CandidateOverride;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Stored forms of overrides.
 */
class OverrideTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "max=900", "day.max=900 minute.max=60", "blocked", "unlimited" })
	void textOfAKeyIsWrittenAsItIsRead(String words) {
		KeyOverride override = OverrideText.readKey("until=1795248000123 " + words);
		assertThat(override.until()).isEqualTo(Instant.ofEpochMilli(1_795_248_000_123L));
		assertThat(OverrideText.of(override).at(0)).isEqualTo("until=1795248000123 " + words);
		assertThat(OverrideText.of(OverrideText.readKey(words)).at(0)).isEqualTo(words);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "mode=shadow max=10 period=60000", "day.max=10 minute.max=2 minute.period=1000", "mode=off" })
	void textOfARuleIsWrittenAsItIsRead(String words) {
		String text = "made=2026-11-22T08:30:00Z " + words;
		assertThat(OverrideText.of(OverrideText.readRule("reply", text)).words()).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "max=10 period=60000", "algorithm=token-bucket max=5 burst=8", "minute.max=2", "removed=true" })
	void textOfACandidateIsWrittenAsItIsRead(String words) {
		String text = "made=2026-11-22T08:30:00Z " + words;
		CandidateOverride read = OverrideText.readCandidate("reply?tight", text);
		assertThat(read).extracting("rule", "name").containsExactly("reply", "tight");
		assertThat(OverrideText.of(read).words()).isEqualTo(text);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "max", "max=many", "mode=shadow", "day.made=now", "made=now", "period=1s",
			"algorithm=leaky", "lease=3" })
	void invalidTextOfACandidateIsRefused(String text) {
		assertThatExceptionOfType(IllegalArgumentException.class)
			.isThrownBy(() -> OverrideText.readCandidate("reply?tight", text));
	}

}
