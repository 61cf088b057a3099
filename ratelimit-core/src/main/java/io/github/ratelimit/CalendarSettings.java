package io.github.ratelimit;

import java.time.DateTimeException;
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

	@Nullable String zoneExpression;

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
		this.zoneExpression = null;
		return self();
	}

	/**
	 * Set the time zone of the calendar by its name, or by an expression that selects the
	 * zone of each call.
	 * @param zone the name of a zone, or a SpEL expression with {@code @}, {@code #} or a
	 * parenthesis: {@code @customers.zoneOf(#tenant)} for example
	 * @return this builder
	 * @throws InvalidAttributeException if it is neither
	 * @see LimitCalendar#zoneExpression()
	 */
	public B zone(String zone) {
		if (LimitCalendar.isExpression(zone)) {
			this.zone = null;
			this.zoneExpression = zone;
			return self();
		}
		try {
			return zone(ZoneId.of(zone));
		}
		catch (DateTimeException ex) {
			throw new InvalidAttributeException("zone", '"' + zone + '"', "it is not a time zone.",
					"Write `zone: Europe/Paris` for example.");
		}
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
		this.zoneExpression = other.zoneExpression;
		this.firstDay = other.firstDay;
	}

}
