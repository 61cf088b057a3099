package io.github.ratelimit;

import java.time.Duration;
import java.util.regex.Pattern;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/** Refusals of limits that have no meaning, each with the reason and a remedy. */
final class LimitChecks {

	private static final Duration MAX_REFILL = Limit.MAX_PERIOD.multipliedBy(10);

	private static final long MAX_REFILL_MICROS = MAX_REFILL.toMillis() * 1000;

	private static final long MAX_WARM_UP_UNITS = 1_000_000_000_000L;

	/** Names of rules, limits, plans and classes. */
	static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,100}");

	private LimitChecks() {
	}

	/** Return the number of units, that under low load if only an adaptation is set. */
	static long max(Limit limit) {
		Long max = limit.written(LimitAttribute.MAX);
		Adaptive adaptive = limit.adaptive();
		if (max == null && adaptive != null) {
			return adaptive.low().max();
		}
		return present(LimitAttribute.MAX, max, "Write how many units may pass, for example `max: 5`.");
	}

	static Duration period(Limit limit) {
		Duration period = limit.written(LimitAttribute.PERIOD);
		CalendarUnit calendar = limit.written(LimitAttribute.CALENDAR);
		if (calendar != null) {
			return calendar.longest();
		}
		if (limit.written(LimitAttribute.ALGORITHM) == Algorithm.CONCURRENCY) {
			if (period != null) {
				throw inNoWindow("period", period);
			}
			return Duration.ZERO;
		}
		LimitAttribute.PERIOD.check("period", period);
		return present(LimitAttribute.PERIOD, period, "Write a duration, for example `period: 60s`.");
	}

	private static <T> T present(LimitAttribute<T> attribute, @Nullable T value, String action) {
		if (value == null) {
			throw new InvalidAttributeException(attribute.name(), null, "a limit admits max units per period.", action);
		}
		return value;
	}

	static void check(Limit limit) {
		checkName(limit.name());
		checkSlots(limit);
		checkCalendar(limit);
		if (limit.adaptive() != null) {
			checkPoint("adaptive.low.max", limit.adaptive().low(), limit);
			checkPoint("adaptive.high.max", limit.adaptive().high(), limit);
		}
		LimitAttribute.MAX.check("max", limit.max());
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			attribute.checkEffect(limit);
		}
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			attribute.check(limit);
		}
		checkRefill(limit);
		if (limit.algorithm() == Algorithm.SLIDING_LOG) {
			checkLogSize("max", limit.max());
		}
		if (limit.algorithm() == Algorithm.WARM_UP) {
			LimitAttribute.WARM_UP_PERIOD.check("warm-up-period", limit.warmUpPeriod());
			checkWarmUp(limit);
		}
	}

	private static void checkName(@Nullable String name) {
		if (name != null && !NAME.matcher(name).matches()) {
			throw new InvalidAttributeException("name", '"' + name + '"',
					"the name of a limit becomes part of keys and headers.",
					"Use 1 to 100 lower case letters, digits and hyphens, `name: minute` for example.");
		}
	}

	private static void checkRefill(Limit limit) {
		Long burst = limit.written(LimitAttribute.BURST);
		if (burst != null && burst / limit.max() > MAX_REFILL_MICROS / limit.periodMicros()) {
			throw new InvalidAttributeException("burst", burst,
					"at " + limit.max() + " per " + DurationText.of(limit.period())
							+ " an empty bucket takes more than " + MAX_REFILL.toDays() + " days to refill.",
					"Write a smaller burst or a higher rate.");
		}
	}

	private static void checkLogSize(String attribute, long max) {
		if (max > Limit.MAX_LOG_ENTRIES) {
			throw new InvalidAttributeException(attribute, max,
					"the algorithm sliding-log keeps one entry per admitted unit, so max is at most "
							+ Limit.MAX_LOG_ENTRIES + ".",
					"Write `algorithm: token-bucket`, which keeps two numbers for any max, or "
							+ "`algorithm: sliding-window`, which keeps one per segment, or lower max.");
		}
	}

	private static void checkWarmUp(Limit limit) {
		long tokens = limit.rate().unitsIn(limit.coolDownMicros());
		if (tokens < 1) {
			throw new InvalidAttributeException(
					"warm-up-period", limit.warmUpPeriod(), "at " + limit.max() + " per "
							+ DurationText.of(limit.period()) + " not a single unit is admitted in it.",
					"Write a longer one, or another algorithm.");
		}
		if (tokens > MAX_WARM_UP_UNITS) {
			throw new InvalidAttributeException("warm-up-period", limit.warmUpPeriod(),
					"it takes more than " + MAX_WARM_UP_UNITS + " tokens, which cannot be distinguished.",
					"Write a shorter one.");
		}
	}

	/** Checks one of both points; values that are valid at both are so between them. */
	private static void checkPoint(String attribute, Adaptive.Point point, Limit limit) {
		LimitAttribute.MAX.check(attribute, point.max());
		if (limit.algorithm() == Algorithm.SLIDING_LOG) {
			checkLogSize(attribute, point.max());
		}
		limit.toBuilder().max(point.max()).put(LimitAttribute.ADAPTIVE, null).build();
	}

	private static InvalidAttributeException inNoWindow(String attribute, Object value) {
		return new InvalidAttributeException(attribute, value,
				"concurrency limits the calls that run at once, not the calls per period.",
				"Remove it; a call holds its units until it ends. To limit calls per period, write another algorithm, or "
						+ "both under limits in the properties.");
	}

	private static void checkSlots(Limit limit) {
		if (!limit.hasSlots()) {
			return;
		}
		CalendarUnit calendar = limit.written(LimitAttribute.CALENDAR);
		if (calendar != null) {
			throw inNoWindow("calendar", calendar.yamlName());
		}
		Duration minInterval = limit.minInterval();
		if (minInterval != null) {
			throw new InvalidAttributeException("min-interval", minInterval,
					"concurrency limits the calls that run at once, whenever they begin.",
					"Remove it, or write a second limit, `{name: pace, max: 5, period: 1s}` for example.");
		}
	}

	private static void checkCalendar(Limit limit) {
		LimitCalendar calendar = limit.calendar();
		if (calendar == null) {
			for (LimitAttribute<?> attribute : LimitAttribute.OF_CALENDARS) {
				Object value = limit.written(attribute);
				if (value != null) {
					throw new InvalidAttributeException(attribute.name(), value, "it has no effect without a calendar.",
							"Write `calendar: month` for example instead of a period, or remove it.");
				}
			}
			return;
		}
		String written = calendar.unit().yamlName();
		if (limit.written(LimitAttribute.PERIOD) != null) {
			throw new InvalidAttributeException("calendar", written, "the limit has a period as well.",
					"Write either period or calendar.");
		}
		if (limit.algorithm() != Algorithm.FIXED_WINDOW) {
			throw new InvalidAttributeException("calendar", written,
					"it has no effect with the algorithm " + limit.algorithm().yamlName() + ", only with fixed-window.",
					"Remove it and write a period, or write `algorithm: fixed-window`.");
		}
		Integer firstDay = limit.written(LimitAttribute.FIRST_DAY);
		if (firstDay != null && !calendar.has(LimitAttribute.FIRST_DAY)) {
			throw new InvalidAttributeException("first-day", firstDay,
					"it moves months and years, and the calendar is " + written + '.',
					"Remove it, or write `calendar: month`.");
		}
	}

}
