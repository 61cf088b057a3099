package io.github.ratelimit.override;

import java.time.Instant;

import io.github.ratelimit.KeyOverride;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Stored form of an override of a key.
 */
class KeyOverrideTextTests {

	@ParameterizedTest
	@ValueSource(strings = { "max=900", "day.max=900 minute.max=60", "blocked", "unlimited" })
	void textIsWrittenAsItIsRead(String words) {
		KeyOverride override = KeyOverrideText.read("until=1795248000123 " + words);
		assertThat(override.until()).isEqualTo(Instant.ofEpochMilli(1_795_248_000_123L));
		assertThat(KeyOverrideText.of(override).at(0)).isEqualTo("until=1795248000123 " + words);
		assertThat(KeyOverrideText.of(KeyOverrideText.read(words)).at(0)).isEqualTo(words);
	}

}
