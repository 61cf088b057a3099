package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Laws 1, 3, 8 and 10 for a key whose calls are in two time zones: at noon, the day ends
 * in 3 hours in Tokyo and in 11 hours in Paris.
 */
class ChangedZoneTests {

	private static final Limit TOKYO = Limit.ofCalendar(2, CalendarUnit.DAY, ZoneId.of("Asia/Tokyo"));

	private static final Limit PARIS = Limit.ofCalendar(2, CalendarUnit.DAY, ZoneId.of("Europe/Paris"));

	private static final long HOUR = Duration.ofHours(1).toNanos() / 1000;

	private final AlgorithmOnStore stores = AlgorithmOnStore.inStep(AlgorithmUnderTest.CALENDAR_WINDOW);

	@AfterEach
	void storesAgree() {
		this.stores.close();
	}

	@Test
	void unitsOfEitherZoneComeBackForTheOtherWhenTheFirstOfBothDaysEnds() {
		isAdmittedAfterThreeHours(TOKYO, PARIS);
		isAdmittedAfterThreeHours(PARIS, TOKYO);
	}

	@Test
	void deniedCallInAnotherZoneChangesNothing() {
		Counter counter = exhausted(PARIS);
		assertThat(counter.change(TOKYO).acquire(1).admitted()).isFalse();
		assertThat(counter.change(PARIS).advance(3 * HOUR).acquire(1).retryAfter()).isEqualTo(8 * HOUR);
	}

	@Test
	void admittedCallCountsAllUnitsInTheDayOfItsZone() {
		Counter counter = atNoon(TOKYO);
		counter.acquire(1);
		assertThat(counter.change(PARIS).acquire(1).resetAfter()).isEqualTo(11 * HOUR);
		assertThat(counter.advance(3 * HOUR).acquire(1).retryAfter()).isEqualTo(8 * HOUR);
	}

	private void isAdmittedAfterThreeHours(Limit counted, Limit called) {
		Counter counter = exhausted(counted).change(called);
		assertThat(counter.acquire(1).retryAfter()).isEqualTo(3 * HOUR);
		assertThat(counter.advance(3 * HOUR - 1_000).acquire(1).retryAfter()).isEqualTo(1_000);
		assertThat(counter.advance(1_000).acquire(1).admitted()).isTrue();
	}

	private Counter exhausted(Limit limit) {
		Counter counter = atNoon(limit);
		assertThat(counter.acquire(2).admitted()).isTrue();
		return counter;
	}

	private Counter atNoon(Limit limit) {
		return this.stores.counter(limit).setClock(Instant.parse("2026-02-10T12:00:00Z").toEpochMilli() * 1000);
	}

}
