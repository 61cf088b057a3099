package io.github.ratelimit;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.notation.KebabCase;

/**
 * Refusals of calendars that have no meaning, each with the reason and a remedy.
 */
final class CalendarChecks {

	private static final int LAST_FIRST_DAY = 28;

	private CalendarChecks() {
	}

	static void check(CalendarSettings<?> settings, @Nullable Duration period) {
		CalendarUnit unit = settings.calendar;
		if (unit == null) {
			checkCalendarPresent("zone", settings.zone);
			checkCalendarPresent("zone", settings.zoneExpression);
			checkCalendarPresent("first-day", settings.firstDay);
			return;
		}
		String written = unit.yamlName();
		if (period != null) {
			throw new InvalidAttributeException("calendar", written, "the limit has a period as well.",
					"Write either period or calendar.");
		}
		if (settings.algorithm != null && settings.algorithm != Algorithm.FIXED_WINDOW) {
			throw new InvalidAttributeException("calendar", written,
					"it has no effect with the algorithm " + settings.algorithm.yamlName()
							+ ", only with fixed-window.",
					"Remove it and write a period, or write `algorithm: fixed-window`.");
		}
		if (settings.align != null) {
			throw new InvalidAttributeException("align", KebabCase.of(settings.align),
					"the windows of a limit with a calendar begin by the calendar.", "Remove it.");
		}
		checkFirstDay(unit, settings.firstDay);
	}

	private static void checkCalendarPresent(String attribute, @Nullable Object value) {
		if (value != null) {
			throw new InvalidAttributeException(attribute, value, "it has no effect without a calendar.",
					"Write `calendar: month` for example instead of a period, or remove it.");
		}
	}

	private static void checkFirstDay(CalendarUnit unit, @Nullable Integer firstDay) {
		if (firstDay == null) {
			return;
		}
		if (unit != CalendarUnit.MONTH && unit != CalendarUnit.YEAR) {
			throw new InvalidAttributeException("first-day", firstDay,
					"it moves months and years, and the calendar is " + unit.yamlName() + '.',
					"Remove it, or write `calendar: month`.");
		}
		if (firstDay < 1 || firstDay > LAST_FIRST_DAY) {
			throw new InvalidAttributeException("first-day", firstDay,
					"it has to be between 1 and " + LAST_FIRST_DAY + ", a day that every month has.",
					"Write the day on which a month begins, `first-day: 15` for example.");
		}
	}

}
