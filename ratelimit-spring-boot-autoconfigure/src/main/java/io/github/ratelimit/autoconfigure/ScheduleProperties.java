package io.github.ratelimit.autoconfigure;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.ScheduledPlan;
import org.jspecify.annotations.Nullable;

/**
 * Plan that holds at some times of the week.
 *
 * @param plan Name of the plan.
 * @param days Days on which the plan begins to hold: mon-fri or sat,sun for example. By
 * default every day.
 * @param from Time of day at which the plan begins to hold, "09:00" for example. By
 * default midnight.
 * @param to Time of day at which the plan holds no longer, "18:00" for example. If it is
 * not after from, it is a time of the next day. By default midnight.
 * @param zone Time zone of these times, Europe/Paris for example. By default UTC.
 * @since 0.1.0
 */
public record ScheduleProperties(@Nullable String plan, @Nullable List<String> days, @Nullable String from,
		@Nullable String to, @Nullable String zone) {

	private static final Pattern TIME = Pattern.compile("([01]?\\d|2[0-3]):[0-5]\\d");

	private static final Pattern NUMBER = Pattern.compile("\\d{1,4}");

	ScheduledPlan toScheduledPlan() {
		if (this.plan == null || this.plan.isBlank()) {
			throw new InvalidAttributeException("plan", null, "an entry of a schedule selects a plan.",
					"Write the name of one of the plans of the rule.");
		}
		return new ScheduledPlan(this.plan, daysOfWeek(), time("from", this.from), time("to", this.to), zoneId());
	}

	private Set<DayOfWeek> daysOfWeek() {
		if (this.days == null) {
			return EnumSet.allOf(DayOfWeek.class);
		}
		Set<DayOfWeek> all = EnumSet.noneOf(DayOfWeek.class);
		for (String range : this.days) {
			String[] ends = range.strip().split("\\s*-\\s*", -1);
			DayOfWeek last = day(ends[ends.length - 1]);
			if (ends.length > 2) {
				throw invalidDay(range);
			}
			for (DayOfWeek day = day(ends[0]); day != last; day = day.plus(1)) {
				all.add(day);
			}
			all.add(last);
		}
		return all;
	}

	private static DayOfWeek day(String name) {
		String upperCase = name.toUpperCase(Locale.ROOT);
		for (DayOfWeek day : DayOfWeek.values()) {
			if (upperCase.equals(day.name()) || upperCase.equals(day.name().substring(0, 3))) {
				return day;
			}
		}
		throw invalidDay(name);
	}

	private static InvalidAttributeException invalidDay(String text) {
		return new InvalidAttributeException("days", '"' + text + '"', "it is no day of the week.",
				"Write `days: mon-fri` or `days: sat, sun` for example.");
	}

	private static LocalTime time(String attribute, @Nullable String text) {
		if (text == null) {
			return LocalTime.MIDNIGHT;
		}
		if (!TIME.matcher(text).matches()) {
			String example = '`' + attribute + ": \"18:00\"` for example";
			throw NUMBER.matcher(text).matches()
					? new InvalidAttributeException(attribute, text,
							"it is no time of day: YAML reads 18:00 without quotes as the number 1080.",
							"Write it in quotes, " + example + '.')
					: new InvalidAttributeException(attribute, text, "it is no time of day.",
							"Write hours and minutes, " + example + "; midnight is \"00:00\", and the default.");
		}
		return LocalTime.parse((text.length() < 5) ? '0' + text : text);
	}

	private ZoneId zoneId() {
		try {
			return (this.zone != null) ? ZoneId.of(this.zone) : ZoneOffset.UTC;
		}
		catch (DateTimeException ex) {
			throw new InvalidAttributeException("zone", '"' + this.zone + '"', "it is not a time zone.",
					"Write `zone: Europe/Paris` for example.");
		}
	}

}
