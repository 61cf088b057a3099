package io.github.ratelimit.store.tck;

import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;

/**
 * Calendars for random tests. In Lord Howe the clocks are changed by half an hour, in
 * Cairo at midnight.
 */
final class Calendars {

	/**
	 * Zones whose clocks are changed in different ways, or never.
	 */
	static final List<ZoneId> ZONES = Stream
		.of("UTC", "Europe/Paris", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Africa/Cairo")
		.map(ZoneId::of)
		.toList();

	private Calendars() {
	}

	/**
	 * Return a limit by the shortest windows that are not shorter than a period.
	 */
	static Limit limit(long max, Duration period) {
		CalendarUnit unit = Arrays.stream(CalendarUnit.values())
			.filter((each) -> each.longest().compareTo(period) >= 0)
			.findFirst()
			.orElse(CalendarUnit.YEAR);
		return Limit.ofCalendar(max, unit, ZONES.get(0));
	}

	/**
	 * Return a limit in a zone, or with a first day.
	 */
	static Limit described(Limit limit, String cell) {
		return cell.contains("/") ? limit.toBuilder().zone(ZoneId.of(cell)).build()
				: limit.withFirstDay(Integer.parseInt(cell));
	}

	/**
	 * Return the limit with windows that contain all of its windows. No month contains
	 * each of its weeks.
	 */
	static Limit longer(Limit limit) {
		return (limit.calendar().unit() == CalendarUnit.WEEK) ? limit
				: limit.toBuilder().calendar(CalendarUnit.YEAR).build();
	}

	static Limit vary(Limit limit, Random random) {
		Limit.Builder varied = limit.toBuilder().zone(ZONES.get(random.nextInt(ZONES.size())));
		CalendarUnit unit = limit.calendar().unit();
		if (unit == CalendarUnit.MONTH || unit == CalendarUnit.YEAR) {
			varied.firstDay(1 + random.nextInt(28));
		}
		return varied.build();
	}

}
