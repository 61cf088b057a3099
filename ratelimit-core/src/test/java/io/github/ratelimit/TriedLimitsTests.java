package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Limits of a candidate: what it leaves out is the rule's, if it can mean something
 * beside what it says.
 */
class TriedLimitsTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	private static final Limit HOURLY = Limit.ofCalendar(10, CalendarUnit.HOUR, ZoneOffset.UTC);

	private static List<Limit> tried(Limit candidate, Limit... own) {
		RateLimitRule.Builder rule = RateLimitRule.named("reply");
		for (Limit limit : own) {
			rule.limit(limit);
		}
		return rule.candidate("tried", candidate).build().candidates().get("tried");
	}

	@Test
	void limitThatItDoesNotNameIsTheRules() {
		assertThat(tried(Limit.of(50, Duration.ofDays(1)).withName("day"), Limit.of(5, MINUTE).withName("minute"),
				Limit.of(100, Duration.ofDays(1)).withName("day")))
			.extracting(Limit::name, Limit::max)
			.containsExactly(tuple("minute", 5L), tuple("day", 50L));
	}

	@Test
	void burstOfTheRuleIsThatOfItsAlgorithmAlone() {
		Limit own = Limit.of(10, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET).withBurst(20);
		assertThat(tried(Limit.of(3, MINUTE), own)).extracting(Limit::algorithm, Limit::capacity)
			.containsExactly(tuple(Algorithm.TOKEN_BUCKET, 20L));
		assertThat(tried(Limit.of(3, MINUTE).withAlgorithm(Algorithm.TOKEN_BUCKET), own)).extracting(Limit::capacity)
			.containsExactly(20L);
		assertThat(tried(Limit.of(3, MINUTE).withAlgorithm(Algorithm.LEAKY_BUCKET), own)).extracting(Limit::capacity)
			.containsExactly(1L);
	}

	@Test
	void periodReplacesTheCalendarOfTheRule() {
		assertThat(tried(Limit.of(3, MINUTE).withAlgorithm(Algorithm.FIXED_WINDOW), HOURLY)).singleElement()
			.satisfies((limit) -> {
				assertThat(limit.calendar()).isNull();
				assertThat(limit.period()).isEqualTo(MINUTE);
			});
	}

	@Test
	void periodBesideARuleByTheCalendarIsCountedByItsAlgorithm() {
		assertThat(tried(Limit.of(3, MINUTE), monthly(15))).extracting(Limit::algorithm, Limit::period)
			.containsExactly(tuple(Algorithm.FIXED_WINDOW, MINUTE));
	}

	@Test
	void firstDayOfTheRuleIsThatOfCalendarsThatHaveOne() {
		Limit weekly = Limit.builder().max(3).calendar(CalendarUnit.WEEK).build();
		assertThat(tried(weekly, monthly(15))).containsExactly(weekly.withZone(ZoneOffset.UTC));
		assertThat(tried(Limit.builder().max(3).calendar(CalendarUnit.YEAR).build(), monthly(15))).singleElement()
			.extracting((limit) -> limit.get(LimitAttribute.FIRST_DAY))
			.isEqualTo(15);
	}

	@Test
	void calendarBesideARuleWithAPeriodCountsByItsOwnAlgorithm() {
		Limit daily = Limit.builder().max(3).calendar(CalendarUnit.DAY).build();
		assertThat(tried(daily, Limit.of(10, MINUTE).withAlgorithm(Algorithm.SLIDING_LOG))).extracting(Limit::algorithm)
			.containsExactly(Algorithm.FIXED_WINDOW);
	}

	private static Limit monthly(int firstDay) {
		return Limit.builder().max(10).calendar(CalendarUnit.MONTH).zone(ZoneOffset.UTC).firstDay(firstDay).build();
	}

	@Test
	void calendarReplacesThePeriodOfTheRule() {
		assertThat(tried(HOURLY.withMax(3),
				Limit.of(10, MINUTE).withAlgorithm(Algorithm.FIXED_WINDOW).withAlign(Align.FIRST_REQUEST)))
			.singleElement()
			.satisfies((limit) -> {
				assertThat(limit).isEqualTo(HOURLY.withMax(3));
				assertThat(limit.calendar()).isEqualTo(HOURLY.calendar());
			});
	}

}
