package io.github.ratelimit.engine;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Calendar;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.ScheduledPlan;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.store.tck.Seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Plans by the time of day.
 */
class ScheduleTests {

	private static final ZoneId PARIS = ZoneId.of("Europe/Paris");

	private static final Duration DAY = Duration.ofDays(1);

	private static final LocalTime NINE = LocalTime.of(9, 0);

	private static final LocalTime EIGHTEEN = LocalTime.of(18, 0);

	private static final Set<DayOfWeek> WORKDAYS = EnumSet.range(DayOfWeek.MONDAY, DayOfWeek.FRIDAY);

	private final AtomicLong clock = new AtomicLong();

	private final RecordingListener listener = new RecordingListener();

	private final RateLimitEngine engine = Engines.over(new LocalRateLimitStore(100, this.clock::get),
			OnStoreFailure.DENY, new DenyCache(100, DAY, () -> 0));

	ScheduleTests() {
		this.engine.keys().verdicts().endBy(this.clock::get);
		this.engine.listen(List.of(this.listener));
	}

	private static RateLimitRule.Builder api() {
		return RateLimitRule.named("api")
			.limit(10, DAY)
			.plan("office", Limit.of(4, DAY))
			.plan("night", Limit.of(20, DAY))
			.schedule(new ScheduledPlan("office", WORKDAYS, NINE, EIGHTEEN, PARIS),
					ScheduledPlan.daily("night", LocalTime.of(22, 0), LocalTime.of(6, 0), PARIS));
	}

	private RateLimiter limiter() {
		return new RuleRegistry(this.engine, Algorithm.SLIDING_LOG, List.of()).register(api().build());
	}

	private void at(String local) {
		ZonedDateTime time = LocalDateTime.parse(local).atZone(PARIS);
		this.clock.set(ChronoUnit.MICROS.between(Instant.EPOCH, time.toInstant()));
	}

	@Test
	void firstPlanThatHoldsAppliesAndItsEndIsExclusive() {
		RateLimiter limiter = limiter();
		Map.of("2026-11-30T08:59:59.999999", 10L, "2026-11-30T09:00", 4L, "2026-11-30T17:59:59.999999", 4L,
				"2026-11-30T18:00", 10L, "2026-11-28T12:00", 10L, "2026-11-28T22:00", 20L, "2026-11-29T05:59", 20L,
				"2026-11-29T06:00", 10L)
			.forEach((time, remaining) -> {
				at(time);
				assertThat(limiter.peek("a").remaining()).as(time).isEqualTo(remaining);
			});
	}

	@Test
	void callThatSelectsAPlanComesUnderIt() {
		RateLimiter limiter = limiter();
		at("2026-11-30T12:00");
		assertThat(limiter.withPlan("night").tryAcquire("a", 15).remaining()).isEqualTo(5);
		assertThat(limiter.withPlan(null).tryAcquire("b").remaining()).isEqualTo(3);
		assertThat(limiter.withPlan("unknown").tryAcquire("b").remaining()).isEqualTo(2);
		assertThat(this.listener.decisions).extracting("plan").containsExactly("night", "office", "office");
	}

	@Test
	void planIsPeekedAtAllTimes() {
		RateLimiter limiter = limiter();
		at("2026-11-30T12:00");
		assertThat(limiter.withPlan("night").peek("a").remaining()).isEqualTo(20);
		assertThat(limiter.peek("a").remaining()).isEqualTo(4);
		assertThat(this.engine.keys().scheduled(limiter.rule())).isEqualTo(limiter.rule().schedule().get(0));
		assertThat(this.engine.keys().scheduled(limiter.withPlan("night").rule())).isNull();
		at("2026-11-30T20:00");
		assertThat(this.engine.keys().scheduled(limiter.rule())).isNull();
	}

	@Test
	void keyHasOneCounterAtAllTimes() {
		RateLimiter limiter = limiter();
		at("2026-11-30T17:59");
		assertThat(limiter.tryAcquire("a", 4).remaining()).isZero();
		assertThat(limiter.tryAcquire("a").allowed()).isFalse();
		at("2026-11-30T18:00");
		assertThat(limiter.tryAcquire("a", 6).remaining()).isZero();
		at("2026-11-30T22:00");
		assertThat(limiter.tryAcquire("a", 10).allowed()).isTrue();
		limiter.refund("a", 20);
		assertThat(limiter.peek("a").remaining()).isEqualTo(20);
	}

	@Test
	void keyWithNumbersOfItsOwnHasThemAtAllTimes() {
		RateLimiter limiter = limiter();
		this.engine.keys().verdicts().put("api", "a", KeyOverride.max(100));
		at("2026-11-30T12:00");
		assertThat(limiter.tryAcquire("a").remaining()).isEqualTo(99);
		assertThat(limiter.tryAcquire("b").remaining()).isEqualTo(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "Europe/Paris", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata" })
	void planHoldsWhenTheClockOnTheWallShowsOneOfItsTimes(String zone) {
		Random random = new Random(Seeds.seeds().findFirst().orElseThrow());
		GregorianCalendar wall = new GregorianCalendar(TimeZone.getTimeZone(zone));
		for (int i = 0; i < 20; i++) {
			Set<DayOfWeek> days = random.ints(1 + random.nextInt(7), 1, 8)
				.mapToObj(DayOfWeek::of)
				.collect(Collectors.toSet());
			int from = random.nextInt(24 * 4) * 15;
			int to = random.nextInt(24 * 4) * 15;
			ScheduledPlan plan = new ScheduledPlan("p", days, LocalTime.ofSecondOfDay(from * 60L),
					LocalTime.ofSecondOfDay(to * 60L), ZoneId.of(zone));
			Instant end = Instant.parse("2027-01-01T00:00:00Z");
			for (Instant at = Instant.parse("2025-01-01T00:00:00Z"); at
				.isBefore(end); at = at.plusSeconds(60 * (1 + random.nextInt(120)))) {
				wall.setTimeInMillis(at.toEpochMilli());
				int minute = wall.get(Calendar.HOUR_OF_DAY) * 60 + wall.get(Calendar.MINUTE);
				int today = (wall.get(Calendar.DAY_OF_WEEK) + 5) % 7;
				DayOfWeek began = DayOfWeek.values()[(minute >= from) ? today : (today + 6) % 7];
				boolean isWithin = (from < to) ? minute >= from && minute < to : minute >= from || minute < to;
				assertThat(plan.holdsAt(at.atZone(ZoneOffset.UTC))).as("%s at %s", plan, at)
					.isEqualTo(isWithin && days.contains(began));
			}
		}
	}

	@Test
	void wholeDaysHoldFromMidnightToMidnight() {
		ScheduledPlan sunday = ScheduledPlan.on("p", PARIS, DayOfWeek.SUNDAY);
		assertThat(sunday.holdsAt(ZonedDateTime.parse("2026-11-28T22:59:59Z"))).isFalse();
		assertThat(sunday.holdsAt(ZonedDateTime.parse("2026-11-28T23:00:00Z"))).isTrue();
		assertThat(sunday.holdsAt(ZonedDateTime.parse("2026-11-29T22:59:59Z"))).isTrue();
		assertThat(sunday.holdsAt(ZonedDateTime.parse("2026-11-29T23:00:00Z"))).isFalse();
	}

	@Test
	void scheduleOfAPlanThatTheRuleDoesNotHaveIsRefused() {
		assertThatExceptionOfType(RateLimitConfigurationException.class)
			.isThrownBy(() -> api().schedule(ScheduledPlan.on("offices", PARIS, DayOfWeek.MONDAY)).build())
			.withMessageContaining("schedule[0].plan = \"offices\"")
			.withMessageContaining("office, night");
	}

	@Test
	void scheduleWithoutDaysIsRefused() {
		assertThatExceptionOfType(InvalidAttributeException.class)
			.isThrownBy(() -> new ScheduledPlan("p", Set.of(), NINE, EIGHTEEN, PARIS))
			.withMessageContaining("days: mon-fri");
	}

}
