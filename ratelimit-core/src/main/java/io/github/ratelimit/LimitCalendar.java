package io.github.ratelimit;

import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Calendar of a limit: the unit, the time zone and the first day of its windows. One
 * window begins where another one ends, and every time lies in exactly one of them. Times
 * are microseconds since 1970-01-01T00:00Z.
 *
 * <p>
 * An hour begins whenever the clock of the zone shows a full hour. So an hour that is
 * repeated when the clocks are set back has two windows, and a change by half an hour
 * makes one window of 90 minutes. All other windows begin at the start of a day, which is
 * not midnight where the clocks skip it.
 *
 * @since 0.1.0
 */
public final class LimitCalendar {

	private static final Duration HOUR = Duration.ofHours(1);

	/** Time in which the clock of any zone shows a full hour. */
	private static final Duration TWO_HOURS = Duration.ofHours(2);

	private final CalendarUnit unit;

	private final ZoneId zone;

	private final int firstDay;

	private final @Nullable String zoneExpression;

	private volatile Window latest = new Window(0, 0);

	/**
	 * Create a calendar.
	 * @param zone the name of the zone, or the expression that selects it
	 */
	LimitCalendar(CalendarUnit unit, String zone, int firstDay) {
		this.unit = unit;
		this.zoneExpression = isExpression(zone) ? zone : null;
		this.zone = ZoneId.of((this.zoneExpression != null) ? "UTC" : zone);
		this.firstDay = firstDay;
	}

	boolean has(LimitAttribute<?> attribute) {
		boolean movesFirstDay = this.unit == CalendarUnit.MONTH || this.unit == CalendarUnit.YEAR;
		return attribute == LimitAttribute.ZONE || (attribute == LimitAttribute.FIRST_DAY && movesFirstDay);
	}

	/**
	 * {@return the unit of a window}
	 */
	public CalendarUnit unit() {
		return this.unit;
	}

	/**
	 * {@return the time zone; UTC by default, and while no call has selected one}
	 */
	public ZoneId zone() {
		return this.zone;
	}

	/**
	 * {@return the SpEL expression that selects the time zone of the calls of annotated
	 * methods, requests and routes, {@code null} if it is the same for all calls} A
	 * {@link RateLimiter} ignores it and counts by UTC.
	 */
	public @Nullable String zoneExpression() {
		return this.zoneExpression;
	}

	static boolean isExpression(String zone) {
		return zone.matches("(?s).*[@#(].*");
	}

	/**
	 * {@return the day on which months begin, and years in January, by default 1}
	 */
	public int firstDay() {
		return this.firstDay;
	}

	/**
	 * {@return the window of a time} The latest one is cached.
	 * @param time the time
	 */
	public Window windowAt(long time) {
		Window known = this.latest;
		if (known.contains(time)) {
			return known;
		}
		Window window = (this.unit == CalendarUnit.HOUR) ? hourOf(time) : daysAround(time);
		this.latest = window;
		return window;
	}

	private Window daysAround(long time) {
		LocalDate begun = begun(zoned(time).toLocalDate());
		LocalDate next = begun.plus(1, this.unit.step());
		while (startOf(next) <= time) {
			begun = next;
			next = begun.plus(1, this.unit.step());
		}
		return new Window(startOf(begun), startOf(next));
	}

	private LocalDate begun(LocalDate day) {
		LocalDate counted = day.minusDays(this.firstDay - 1);
		return switch (this.unit) {
			case HOUR, DAY -> day;
			case WEEK -> day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
			case MONTH -> counted.withDayOfMonth(this.firstDay);
			case YEAR -> counted.withMonth(1).withDayOfMonth(this.firstDay);
		};
	}

	private long startOf(LocalDate day) {
		return micros(day.atStartOfDay(this.zone));
	}

	private Window hourOf(long time) {
		ZonedDateTime start = nextFullHour(zoned(time).minus(TWO_HOURS));
		ZonedDateTime end = nextFullHour(start);
		while (micros(end) <= time) {
			start = end;
			end = nextFullHour(start);
		}
		return new Window(micros(start), micros(end));
	}

	private static ZonedDateTime nextFullHour(ZonedDateTime time) {
		ZonedDateTime next = time;
		do {
			next = next.plus(HOUR.minusNanos(sinceFullHour(next)));
		}
		while (sinceFullHour(next) > 0);
		return next;
	}

	private static long sinceFullHour(ZonedDateTime time) {
		LocalTime shown = time.toLocalTime();
		return shown.toNanoOfDay() % HOUR.toNanos();
	}

	private ZonedDateTime zoned(long time) {
		return Instant.EPOCH.plus(time, ChronoUnit.MICROS).atZone(this.zone);
	}

	private static long micros(ZonedDateTime time) {
		return time.toEpochSecond() * 1_000_000;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof LimitCalendar that && this.unit == that.unit && this.zone.equals(that.zone)
				&& this.firstDay == that.firstDay && Objects.equals(this.zoneExpression, that.zoneExpression);
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.unit, this.zone, this.firstDay);
	}

	/**
	 * {@return the text {@code month in Europe/Paris from day 15}, for example}
	 */
	@Override
	public String toString() {
		return this.unit.yamlName() + " in " + ((this.zoneExpression != null) ? this.zoneExpression : this.zone)
				+ ((this.firstDay > 1) ? " from day " + this.firstDay : "");
	}

	/**
	 * Time from one edge of a calendar to the next.
	 *
	 * @param start the first microsecond
	 * @param end the first microsecond of the next window
	 */
	public record Window(long start, long end) {

		/**
		 * {@return whether a time lies in this window}
		 * @param time the time
		 */
		public boolean contains(long time) {
			return this.start <= time && time < this.end;
		}

		/**
		 * {@return the time from start to end}
		 */
		public Duration length() {
			return Duration.of(this.end - this.start, ChronoUnit.MICROS);
		}

	}

}
