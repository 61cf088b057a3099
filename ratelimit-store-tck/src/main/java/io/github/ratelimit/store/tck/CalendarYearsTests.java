package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two years of calls in several zones, most of them close to the edges of windows: all
 * stores answer what an oracle answers that remembers every call, field by field.
 */
@Tag("every-redis")
class CalendarYearsTests {

	private static final long BEGINNING = Instant.parse("2027-12-20T00:00:00Z").toEpochMilli() * 1000;

	private static final long END = BEGINNING + Duration.ofDays(2 * 366).toNanos() / 1000;

	private static final int STEPS = Seeds.steps(2_000);

	@ParameterizedTest(name = "{0}, seed {1}")
	@MethodSource
	void storesAgreeWithTheOracle(Limit limit, long seed) {
		Random random = new Random(seed);
		StoresInStep stores = new StoresInStep(AlgorithmUnderTest.CALENDAR_WINDOW);
		Oracle oracle = AlgorithmUnderTest.CALENDAR_WINDOW.oracle();
		String key = AlgorithmOnStore.freshKey();
		LimitCalendar calendar = limit.calendar();
		long now = BEGINNING;
		for (int i = 0; i < STEPS && now < END; i++) {
			long time = now;
			stores.setClock(now);
			long cost = random.nextInt(4);
			LimitOutcome outcome = stores.acquire(List.of(new Demand(AlgorithmOnStore.rule(limit), key, cost))).get(0);
			assertThat(outcome).as(() -> limit + " at " + time)
				.isEqualTo(oracle.acquire(limit, cost, now, outcome.admitted()).orElseThrow());
			now = next(random, calendar.windowAt(now), now);
		}
		stores.checkAnswers();
	}

	/**
	 * Return a time at an edge or around it, at which the clocks may be changed.
	 */
	private static long next(Random random, LimitCalendar.Window window, long now) {
		long length = window.end() - window.start();
		return Math.max(now, switch (random.nextInt(8)) {
			case 0 -> window.end() - 1;
			case 1, 2 -> window.end();
			case 3 -> window.end() + 1;
			case 4 -> window.end() + Math.floorMod(random.nextLong(), 3 * length);
			case 5 -> now - Math.floorMod(random.nextLong(), length);
			default -> now + Math.floorMod(random.nextLong(), length / 4);
		});
	}

	static Stream<Arguments> storesAgreeWithTheOracle() {
		return Seeds.seeds()
			.boxed()
			.flatMap((seed) -> limits(new Random(seed)).map((limit) -> Arguments.of(limit, seed)));
	}

	private static Stream<Limit> limits(Random random) {
		Limit leapYearAndAnHour = Limit.ofCalendar(2, CalendarUnit.YEAR, ZoneId.of("Africa/Casablanca"))
			.withFirstDay(15);
		return Stream.concat(Stream.of(leapYearAndAnHour), Stream.of(CalendarUnit.values())
			.flatMap((unit) -> Calendars.ZONES.stream()
				.map((zone) -> Limit.ofCalendar(1 + random.nextInt(5), unit, zone))
				.map((limit) -> (unit == CalendarUnit.MONTH) ? limit.withFirstDay(1 + random.nextInt(28)) : limit)));
	}

}
