package io.github.ratelimit;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import io.github.ratelimit.LimitCalendar.Window;
import io.github.ratelimit.store.tck.Seeds;

import static org.assertj.core.api.Assertions.assertThat;

class LimitCalendarTests {

	@ParameterizedTest
	@CsvSource({ //
			"HOUR,  UTC,                 1,  2026-03-04T05:06:07Z,      2026-03-04T05:00Z,      2026-03-04T06:00Z",
			"HOUR,  Asia/Kolkata,        1,  2026-03-04T05:06:07Z,      2026-03-04T04:30Z,      2026-03-04T05:30Z",
			// the hour after 02:00 comes twice, and is two windows
			"HOUR,  Europe/Paris,        1,  2026-10-25T02:59:59+02:00, 2026-10-25T02:00+02:00, 2026-10-25T02:00+01:00",
			"HOUR,  Europe/Paris,        1,  2026-10-25T02:00+01:00,    2026-10-25T02:00+01:00, 2026-10-25T03:00+01:00",
			"HOUR,  Europe/Paris,        1,  2026-03-29T01:30+01:00,    2026-03-29T01:00+01:00, 2026-03-29T03:00+02:00",
			// a change by half an hour makes an hour of 90 minutes
			"HOUR,  Australia/Lord_Howe, 1,  2026-04-05T01:59+11:00,    2026-04-05T01:00+11:00, 2026-04-05T02:00+10:30",
			"HOUR,  Australia/Lord_Howe, 1,  2026-04-05T01:30+10:30,    2026-04-05T01:00+11:00, 2026-04-05T02:00+10:30",
			"HOUR,  Australia/Lord_Howe, 1,  2026-10-04T02:30+11:00,    2026-10-04T01:00+10:30, 2026-10-04T03:00+11:00",
			"HOUR,  Australia/Lord_Howe, 1,  2026-10-04T01:59+10:30,    2026-10-04T01:00+10:30, 2026-10-04T03:00+11:00",
			// the clocks change by an hour at 03:45 and at 02:45
			"HOUR,  Pacific/Chatham,     1,  2026-04-05T02:59+12:45,    2026-04-05T03:00+13:45, 2026-04-05T03:00+12:45",
			"HOUR,  Pacific/Chatham,     1,  2026-09-27T03:45+13:45,    2026-09-27T02:00+12:45, 2026-09-27T04:00+13:45",
			"DAY,   UTC,                 1,  2026-03-04T05:06:07Z,      2026-03-04T00:00Z,      2026-03-05T00:00Z",
			// 23 and 25 hours
			"DAY,   Europe/Paris,        1,  2026-03-29T12:00+02:00,    2026-03-29T00:00+01:00, 2026-03-30T00:00+02:00",
			"DAY,   Europe/Paris,        1,  2026-10-25T12:00+01:00,    2026-10-25T00:00+02:00, 2026-10-26T00:00+01:00",
			"DAY,   Australia/Lord_Howe, 1,  2026-04-05T12:00+10:30,    2026-04-05T00:00+11:00, 2026-04-06T00:00+10:30",
			// there is no midnight
			"DAY,   Africa/Cairo,        1,  2026-04-24T12:00+03:00,    2026-04-24T01:00+03:00, 2026-04-25T00:00+03:00",
			// midnight comes twice
			"DAY,   America/Havana,      1,  2026-11-01T00:30-05:00,    2026-11-01T00:00-04:00, 2026-11-02T00:00-05:00",
			// there is no 30 December
			"DAY,   Pacific/Apia,        1,  2011-12-29T23:59-10:00,    2011-12-29T00:00-10:00, 2011-12-30T00:00-10:00",
			"DAY,   Pacific/Apia,        1,  2011-12-31T00:00+14:00,    2011-12-31T00:00+14:00, 2012-01-01T00:00+14:00",
			// the clocks go back over midnight a minute after it
			"DAY,   America/St_Johns,    1,  2010-11-06T23:30-03:30,    2010-11-07T00:00-02:30, 2010-11-08T00:00-03:30",
			"WEEK,  Europe/Paris,        1,  2026-11-01T23:59:59+01:00, 2026-10-26T00:00+01:00, 2026-11-02T00:00+01:00",
			"WEEK,  UTC,                 1,  2027-01-01T00:00Z,         2026-12-28T00:00Z,      2027-01-04T00:00Z",
			"MONTH, Europe/Paris,        1,  2026-03-31T23:59:59+02:00, 2026-03-01T00:00+01:00, 2026-04-01T00:00+02:00",
			"MONTH, America/New_York,    1,  2026-03-01T04:59:59Z,      2026-02-01T00:00-05:00, 2026-03-01T00:00-05:00",
			"MONTH, UTC,                 15, 2026-02-14T23:59:59Z,      2026-01-15T00:00Z,      2026-02-15T00:00Z",
			"MONTH, UTC,                 15, 2026-02-15T00:00Z,         2026-02-15T00:00Z,      2026-03-15T00:00Z",
			"MONTH, UTC,                 28, 2024-03-27T00:00Z,         2024-02-28T00:00Z,      2024-03-28T00:00Z",
			"MONTH, UTC,                 28, 2026-01-01T00:00Z,         2025-12-28T00:00Z,      2026-01-28T00:00Z",
			"MONTH, UTC,                 1,  2024-02-29T12:00Z,         2024-02-01T00:00Z,      2024-03-01T00:00Z",
			"YEAR,  Asia/Kolkata,        1,  2024-02-29T12:00Z,         2024-01-01T00:00+05:30, 2025-01-01T00:00+05:30",
			"YEAR,  UTC,                 15, 2026-01-14T23:59:59Z,      2025-01-15T00:00Z,      2026-01-15T00:00Z",
			"YEAR,  UTC,                 15, 2026-12-31T00:00Z,         2026-01-15T00:00Z,      2027-01-15T00:00Z" })
	void windowsBeginAndEndByTheClockOfTheZone(CalendarUnit unit, ZoneId zone, int firstDay, OffsetDateTime time,
			OffsetDateTime start, OffsetDateTime end) {
		LimitCalendar calendar = new LimitCalendar(unit, zone.getId(), firstDay);
		assertThat(calendar.windowAt(micros(time.toInstant())))
			.isEqualTo(new Window(micros(start.toInstant()), micros(end.toInstant())));
	}

	@ParameterizedTest
	@EnumSource
	void everyTimeIsInOneWindowAndWindowsFollowEachOther(CalendarUnit unit) {
		Seeds.seeds().forEach((seed) -> {
			Random random = new Random(seed);
			for (String name : ZoneId.getAvailableZoneIds()) {
				LimitCalendar calendar = new LimitCalendar(unit, name,
						(unit.longest().toDays() > 7) ? 1 + random.nextInt(28) : 1);
				for (int i = 0; i < 20; i++) {
					long time = micros(Instant.parse("2020-01-01T00:00:00Z"))
							+ Math.floorMod(random.nextLong(), Duration.ofDays(4000).toNanos() / 1000);
					Window window = calendar.windowAt(time);
					assertThat(window.contains(time)).as("%s at %d", calendar, time).isTrue();
					assertThat(calendar.windowAt(window.start())).as("%s at %d", calendar, time).isEqualTo(window);
					assertThat(calendar.windowAt(window.end() - 1)).as("%s at %d", calendar, time).isEqualTo(window);
					assertThat(calendar.windowAt(window.end()).start()).as("%s at %d", calendar, time)
						.isEqualTo(window.end());
					assertThat(calendar.windowAt(window.start() - 1).end()).as("%s at %d", calendar, time)
						.isEqualTo(window.start());
				}
			}
		});
	}

	@Test
	void isPrintedForPeople() {
		assertThat(Limit.ofCalendar(1000, CalendarUnit.MONTH, ZoneId.of("Europe/Paris")).withFirstDay(15))
			.hasToString("fixed-window 1000 per month in Europe/Paris from day 15");
		assertThat(Limit.builder().max(5).calendar(CalendarUnit.DAY).build())
			.hasToString("fixed-window 5 per day in UTC");
	}

	private static long micros(Instant instant) {
		return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
	}

}
