package io.github.ratelimit.attribute;

import java.time.Duration;
import java.time.ZoneId;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LimitAttributesTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final LimitAttributes FIVE_PER_MINUTE = LimitAttributes.NONE.with(LimitAttribute.MAX, 5L)
		.with(LimitAttribute.PERIOD, MINUTE);

	private static final Adaptive ADAPTIVE = new Adaptive("cpu", new Adaptive.Point(0.6, 5),
			new Adaptive.Point(0.9, 1));

	@Test
	void makeALimitWithAllAttributes() {
		assertThat(FIVE_PER_MINUTE.with(LimitAttribute.NAME, "minute")
			.with(LimitAttribute.BURST, 2L)
			.with(LimitAttribute.SEGMENTS, 4)
			.with(LimitAttribute.ALIGN, Align.FIRST_REQUEST)
			.with(LimitAttribute.WARM_UP_PERIOD, MINUTE)
			.with(LimitAttribute.COLD_FACTOR, 2)
			.with(LimitAttribute.MIN_INTERVAL, Duration.ofSeconds(1))
			.with(LimitAttribute.COUNT_DENIED, true)
			.with(LimitAttribute.ADAPTIVE, ADAPTIVE)
			.toLimit())
			.isEqualTo(Limit.of(5, MINUTE)
				.withName("minute")
				.withBurst(2)
				.withSegments(4)
				.withAlign(Align.FIRST_REQUEST)
				.withWarmUpPeriod(MINUTE)
				.withColdFactor(2)
				.withMinInterval(Duration.ofSeconds(1))
				.withCountDenied(true)
				.withAdaptive(ADAPTIVE));
	}

	@Test
	void needMaxAndPeriodToMakeALimit() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(LimitAttributes.NONE.with(LimitAttribute.MAX, 5L)::toLimit)
			.withMessageStartingWith("period is missing: ");
		assertThatExceptionOfType(InvalidAttributeException.class).isThrownBy(LimitAttributes.NONE::toLimit)
			.withMessageStartingWith("max is missing: ");
	}

	@Test
	void overrideALimitAllAtOnce() {
		Limit slow = Limit.of(1, Duration.ofDays(30)).withAlgorithm(Algorithm.TOKEN_BUCKET);
		assertThat(FIVE_PER_MINUTE.with(LimitAttribute.BURST, 200L).applyTo(slow))
			.isEqualTo(Limit.of(5, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(200));
		assertThat(LimitAttributes.NONE.applyTo(slow)).isEqualTo(slow);
	}

	@Test
	void overrideOthersOneByOne() {
		assertThat(FIVE_PER_MINUTE.overriddenBy(LimitAttributes.NONE.with(LimitAttribute.MAX, 6L)).toLimit())
			.isEqualTo(Limit.of(6, MINUTE));
	}

	@Test
	void haveWhatIsSet() {
		LimitAttributes attributes = FIVE_PER_MINUTE.with(LimitAttribute.BURST, null)
			.with(LimitAttribute.ADAPTIVE, ADAPTIVE);
		assertThat(attributes.has("max")).isTrue();
		assertThat(attributes.has("adaptive.low")).isTrue();
		assertThat(attributes.has("burst")).isFalse();
	}

	@Test
	void calendarReplacesAPeriodAndAPeriodACalendar() {
		LimitAttributes period = LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofDays(1));
		LimitAttributes calendar = LimitAttributes.NONE.with(LimitAttribute.CALENDAR, CalendarUnit.MONTH)
			.with(LimitAttribute.FIRST_DAY, 15);
		assertThat(period.overriddenBy(calendar)).isEqualTo(calendar);
		assertThat(calendar.overriddenBy(period)).isEqualTo(period);
	}

	@Test
	void defaultZoneIsThatOfLimitsWithACalendarOnly() {
		LimitAttributes zone = LimitAttributes.NONE.with(LimitAttribute.ZONE, "Europe/Paris");
		LimitAttributes period = LimitAttributes.NONE.with(LimitAttribute.PERIOD, Duration.ofDays(1));
		LimitAttributes calendar = LimitAttributes.NONE.with(LimitAttribute.CALENDAR, CalendarUnit.MONTH);
		assertThat(zone.overriddenBy(period)).isEqualTo(period);
		assertThat(zone.overriddenBy(calendar).get(LimitAttribute.ZONE)).isEqualTo("Europe/Paris");
	}

	@Test
	void calendarNeedsNoAlgorithmUnderAnyDefault() {
		LimitAttributes defaults = LimitAttributes.NONE.with(LimitAttribute.ALGORITHM, Algorithm.TOKEN_BUCKET);
		LimitAttributes calendar = LimitAttributes.NONE.with(LimitAttribute.MAX, 5L)
			.with(LimitAttribute.CALENDAR, CalendarUnit.MONTH);
		assertThat(calendar.completedBy(defaults).toLimit().algorithm()).isEqualTo(Algorithm.FIXED_WINDOW);
		LimitAttributes period = LimitAttributes.NONE.with(LimitAttribute.MAX, 5L)
			.with(LimitAttribute.PERIOD, Duration.ofDays(1));
		assertThat(period.completedBy(defaults).toLimit().algorithm()).isEqualTo(Algorithm.TOKEN_BUCKET);
	}

}
