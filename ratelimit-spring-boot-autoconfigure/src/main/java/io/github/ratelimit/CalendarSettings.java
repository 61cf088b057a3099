package io.github.ratelimit;

import java.time.ZoneId;

import org.jspecify.annotations.Nullable;

/**
 * Settings of the calendar of a limit, and of all else that a limit has.
 *
 * @param <B> the type of the builder
 */
abstract sealed class CalendarSettings<B extends CalendarSettings<B>> extends LimitSettings<B> permits Limit.Builder {

	@Nullable CalendarUnit calendar;

	@Nullable ZoneId zone;

	@Nullable Integer firstDay;

	/**
	 * Set the calendar in whose windows {@code max} units are admitted, instead of a
	 * period. Calls are counted by {@link Algorithm#FIXED_WINDOW}.
	 * @param calendar the unit of a window
	 * @return this builder
	 */
	public B calendar(CalendarUnit calendar) {
		this.calendar = calendar;
		return self();
	}

	/**
	 * Set the time zone of the calendar.
	 * @param zone the zone, by default UTC
	 * @return this builder
	 */
	public B zone(ZoneId zone) {
		this.zone = zone;
		return self();
	}

	/**
	 * Set the day on which months of the calendar begin, and years in January.
	 * @param firstDay the day, from 1 to 28, by default 1
	 * @return this builder
	 */
	public B firstDay(int firstDay) {
		this.firstDay = firstDay;
		return self();
	}

	final void copyCalendar(CalendarSettings<?> other) {
		this.calendar = other.calendar;
		this.zone = other.zone;
		this.firstDay = other.firstDay;
	}

}
