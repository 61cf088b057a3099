package io.github.ratelimit;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.github.ratelimit.notation.KebabCase;

/**
 * Unit of a calendar in whose windows a limit counts.
 *
 * @since 0.1.0
 */
public enum CalendarUnit {

	/** From one full hour of the clock in a zone to the next. */
	HOUR(ChronoUnit.HOURS, Duration.ofHours(1)),

	/** From the beginning of a day to that of the next. A day may have 23 or 25 hours. */
	DAY(ChronoUnit.DAYS, Duration.ofDays(1)),

	/** From Monday to Monday, as in ISO 8601. */
	WEEK(ChronoUnit.WEEKS, Duration.ofDays(7)),

	/** From the first day of a month, or another one, to the same day of the next. */
	MONTH(ChronoUnit.MONTHS, Duration.ofDays(31)),

	/** From the first day of January, or another one, to the same day a year later. */
	YEAR(ChronoUnit.YEARS, Duration.ofDays(366));

	private final ChronoUnit step;

	private final Duration longest;

	CalendarUnit(ChronoUnit step, Duration longest) {
		this.step = step;
		this.longest = longest;
	}

	/**
	 * {@return the name in configuration files and messages, such as {@code month}}
	 */
	public String yamlName() {
		return KebabCase.of(this);
	}

	ChronoUnit step() {
		return this.step;
	}

	/**
	 * {@return the length of the longest window, apart from changes of the clocks in a
	 * zone: 1 hour, 1 day, 7 days, 31 days or 366 days}
	 */
	public Duration longest() {
		return this.longest;
	}

}
