package io.github.ratelimit.autoconfigure;

import java.time.DayOfWeek;
import java.time.Duration;
import java.util.List;

import io.github.ratelimit.Headroom;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.fuzz.FuzzInput;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.DurationWords;

import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Durations, times of a week and headrooms. Those that we write can be read as
 * configuration files read them; what a duration in words means can be written there;
 * other texts are refused.
 */
public final class DurationFuzz {

	private DurationFuzz() {
	}

	public static void fuzzerTestOneInput(byte[] input) {
		FuzzInput from = new FuzzInput(input);
		switch (from.below(3)) {
			case 0 -> assertRead(Duration.ofSeconds(from.number() >>> (15 + from.below(49)), from.number() >>> 34));
			case 1 -> {
				String text = from.text();
				assertWords(text);
				assertHeadroom(text);
			}
			default -> assertSchedule(from);
		}
	}

	private static void assertRead(Duration duration) {
		assertThat(read(DurationText.of(duration))).isEqualTo(duration);
		assertThat(DurationText.forPeople(duration)).isNotBlank();
	}

	private static void assertWords(String words) {
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

	private static void assertHeadroom(String text) {
		try {
			Headroom headroom = Headroom.of(text);
			assertThat(headroom.of(Limit.MAX_UNITS)).isBetween(0L, Limit.MAX_UNITS);
			assertThat(Headroom.of(headroom.toString())).isEqualTo(headroom);
		}
		catch (InvalidAttributeException ex) {
			FuzzInput.assertUseful(ex);
		}
	}

	private static void assertSchedule(FuzzInput from) {
		String days = from.line();
		try {
			ScheduledPlan plan = new ScheduleProperties("plan", (days != null) ? List.of(days.split(",")) : null,
					from.line(), from.line(), from.line())
				.toScheduledPlan();
			assertThat(new ScheduleProperties("plan", plan.days().stream().map(DayOfWeek::name).toList(),
					plan.from().toString(), plan.to().toString(), plan.zone().getId())
				.toScheduledPlan()).isEqualTo(plan);
		}
		catch (InvalidAttributeException ex) {
			FuzzInput.assertUseful(ex);
		}
	}

	private static Duration read(String text) {
		return DurationFormatterUtils.detectAndParse(text, DurationFormat.Unit.SECONDS);
	}

}
