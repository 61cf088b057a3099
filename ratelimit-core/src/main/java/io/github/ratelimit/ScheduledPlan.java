package io.github.ratelimit;

import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * Plan that holds at some times of the week, by the clock on the wall.
 *
 * @param plan the name of the plan
 * @param days the days on which it begins to hold
 * @param from when it begins to hold
 * @param to when it holds no longer; the same as {@code from} or earlier for a time of
 * the next day
 * @param zone the time zone of these times. Where its clocks are set forward, times that
 * do not exist are passed over; where they are set back, times that exist twice hold
 * twice.
 * @since 0.1.0
 */
public record ScheduledPlan(String plan, Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {

	/**
	 * Create an entry of a schedule.
	 * @param plan the name of the plan
	 * @param days the days on which it begins to hold, at least one
	 * @param from when it begins to hold
	 * @param to when it holds no longer
	 * @param zone the time zone of these times
	 * @throws InvalidAttributeException if there are no days
	 */
	public ScheduledPlan {
		Objects.requireNonNull(plan, "plan");
		Objects.requireNonNull(from, "from");
		Objects.requireNonNull(to, "to");
		Objects.requireNonNull(zone, "zone");
		if (days.isEmpty()) {
			throw new InvalidAttributeException("days", days, "the plan would never hold.",
					"Write `days: mon-fri` for example, or leave it out for every day.");
		}
		days = Set.copyOf(days);
	}

	/**
	 * {@return an entry for all of some days}
	 * @param plan the name of the plan
	 * @param zone the time zone in which days begin
	 * @param first the first day
	 * @param more more days
	 */
	public static ScheduledPlan on(String plan, ZoneId zone, DayOfWeek first, DayOfWeek... more) {
		return new ScheduledPlan(plan, EnumSet.of(first, more), LocalTime.MIDNIGHT, LocalTime.MIDNIGHT, zone);
	}

	/**
	 * {@return an entry for a part of every day}
	 * @param plan the name of the plan
	 * @param from when it begins to hold
	 * @param to when it holds no longer, perhaps on the next day
	 * @param zone the time zone of these times
	 */
	public static ScheduledPlan daily(String plan, LocalTime from, LocalTime to, ZoneId zone) {
		return new ScheduledPlan(plan, EnumSet.allOf(DayOfWeek.class), from, to, zone);
	}

	/**
	 * {@return whether the plan holds: the clocks of the zone show one of its times}
	 * @param time the time, in any zone
	 */
	public boolean holdsAt(ZonedDateTime time) {
		ZonedDateTime here = time.withZoneSameInstant(this.zone);
		LocalTime now = here.toLocalTime();
		DayOfWeek today = here.getDayOfWeek();
		boolean hasBegun = !now.isBefore(this.from);
		boolean isBeforeEnd = now.isBefore(this.to);
		if (this.from.isBefore(this.to)) {
			return hasBegun && isBeforeEnd && this.days.contains(today);
		}
		return hasBegun && this.days.contains(today) || isBeforeEnd && this.days.contains(today.minus(1));
	}

	boolean holdsAlways() {
		return this.days.size() == DayOfWeek.values().length && this.from.equals(this.to);
	}

}
