package io.github.ratelimit.fuzz;

import java.time.Duration;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.DurationWords;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Durations. Those that we write can be read as configuration files read them; what a
 * duration in words means can be written there.
 */
public final class DurationFuzz {

	private DurationFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		if (from.below(2) == 0) {
			Duration duration = Duration.ofSeconds(from.number() >>> (15 + from.below(49)), from.number() >>> 34);
			assertThat(read(DurationText.of(duration))).isEqualTo(duration);
			assertThat(DurationText.forPeople(duration)).isNotBlank();
		}
		else {
			String words = from.text();
			String meaning = DurationWords.meaning(words);
			String remedy = DurationWords.remedy(words, "period", "60s", "seconds");
			if (meaning != null) {
				assertThat(read(meaning).isNegative()).isFalse();
				assertThat(remedy).isEqualTo("Write `period: " + meaning + "`.");
				assertThat(DurationWords.meaning(words.strip() + ", " + words.strip())).satisfiesAnyOf(
						(twice) -> assertThat(twice).isNull(),
						(twice) -> assertThat(read(twice)).isEqualTo(read(meaning).multipliedBy(2)));
			}
			else {
				assertThat(remedy).contains("60s");
			}
		}
	}

	private static Duration read(String text) {
		return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.SECONDS);
	}

}
