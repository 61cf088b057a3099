package io.github.ratelimit;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of limits that have no meaning, each with the reason and a remedy.
 */
final class LimitChecks {

	private static final Duration MAX_REFILL = Limit.MAX_PERIOD.multipliedBy(10);

	private static final long MAX_REFILL_MICROS = MAX_REFILL.toMillis() * 1000;

	private static final long MAX_WARM_UP_UNITS = 1_000_000_000_000L;

	private static final int LAST_FIRST_DAY = 28;

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]+");

	private LimitChecks() {
	}

	static void check(Limit limit, Limit.Builder settings) {
		checkName(limit.name());
		checkSlots(limit, settings);
		checkCalendar(settings);
		if (limit.adaptive() != null) {
			checkPoint("adaptive.low.max", limit.adaptive().low(), limit);
			checkPoint("adaptive.high.max", limit.adaptive().high(), limit);
		}
		checkUnits("max", limit.max());
		if (limit.algorithm() != Algorithm.DEFAULT) {
			checkEffects(limit.algorithm(), settings);
		}
		checkBurst(limit, settings.burst);
		checkRange("segments", limit.segments(), 2, Limit.MAX_SEGMENTS,
				"Write into how many parts the period is cut, `segments: 10` for example.");
		checkRange("cold-factor", limit.coldFactor(), 2, Limit.MAX_COLD_FACTOR,
				"Write how many times slower it begins, `cold-factor: 3` for example.");
		if (limit.minInterval() != null) {
			checkDuration("min-interval", limit.minInterval(), Limit.MAX_PERIOD);
		}
		if (limit.algorithm() == Algorithm.SLIDING_LOG) {
			checkLogSize("max", limit.max());
		}
		if (limit.algorithm() == Algorithm.WARM_UP) {
			checkDuration("warm-up-period", limit.warmUpPeriod(), Limit.MAX_WARM_UP_PERIOD);
			checkWarmUp(limit);
		}
	}

	static void checkPresent(String attribute, @Nullable Object value, String action) {
		if (value == null) {
			throw new InvalidAttributeException(attribute, null, "a limit admits max units per period.", action);
		}
	}

	private static void checkName(@Nullable String name) {
		if (name != null && !NAME.matcher(name).matches()) {
			throw new InvalidAttributeException("name", '"' + name + '"',
					"the name of a limit becomes part of keys and headers.",
					"Use lower case letters, digits and hyphens, `name: minute` for example.");
		}
	}

	private static void checkUnits(String attribute, long units) {
		checkRange(attribute, units, 1, Limit.MAX_UNITS,
				"Write how many units may pass, `" + attribute + ": 5` for example.");
	}

	private static void checkRange(String attribute, long value, long least, long most, String action) {
		if (value < least || value > most) {
			throw new InvalidAttributeException(attribute, value,
					"it has to be between " + least + " and " + most + ".", action);
		}
	}

	static void checkDuration(String attribute, Duration duration, Duration longest) {
		if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(longest) > 0) {
			throw new InvalidAttributeException(attribute, duration,
					"it has to be between 1 ms and " + longest.toDays() + " days.",
					"Write a duration, `" + attribute + ": 60s` for example; a number without a unit means seconds.");
		}
		checkMillis(attribute, duration);
	}

	static void checkMillis(String attribute, Duration duration) {
		if (duration.getNano() % 1_000_000 != 0) {
			throw new InvalidAttributeException(attribute, duration, "it has to be a whole number of milliseconds.",
					"Round it, `" + attribute + ": 100ms` for example.");
		}
	}

	private static void checkEffects(Algorithm algorithm, Limit.Builder settings) {
		checkEffect("burst", settings.burst, algorithm, Algorithm.TOKEN_BUCKET, Algorithm.LEAKY_BUCKET);
		checkEffect("segments", settings.segments, algorithm, Algorithm.SLIDING_WINDOW);
		checkEffect("align", (settings.align != null) ? KebabCase.of(settings.align) : null, algorithm,
				Algorithm.FIXED_WINDOW);
		checkEffect("warm-up-period", settings.warmUpPeriod, algorithm, Algorithm.WARM_UP);
		checkEffect("cold-factor", settings.coldFactor, algorithm, Algorithm.WARM_UP);
		checkEffect("lease", settings.lease, algorithm, Algorithm.CONCURRENCY);
		checkEffect("count-denied", Boolean.TRUE.equals(settings.countDenied) ? true : null, algorithm,
				Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW);
	}

	private static void checkEffect(String attribute, @Nullable Object value, Algorithm algorithm,
			Algorithm... effective) {
		if (value != null && !List.of(effective).contains(algorithm)) {
			throw new InvalidAttributeException(attribute, value,
					"it has no effect with the algorithm " + algorithm.yamlName() + ", only with "
							+ names(effective, "", " and ") + '.',
					"Remove it, or write " + names(effective, "`algorithm: ", "` or `algorithm: ") + "`.");
		}
	}

	private static String names(Algorithm[] algorithms, String before, String between) {
		return Arrays.stream(algorithms)
			.sorted()
			.map(Algorithm::yamlName)
			.collect(Collectors.joining(between, before, ""));
	}

	private static void checkBurst(Limit limit, @Nullable Long burst) {
		if (burst == null) {
			return;
		}
		checkUnits("burst", burst);
		if (burst / limit.max() > MAX_REFILL_MICROS / limit.periodMicros()) {
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

	/**
	 * Checks one of the two points; values that are valid at both are valid between them.
	 */
	private static void checkPoint(String attribute, Adaptive.Point point, Limit limit) {
		checkUnits(attribute, point.max());
		if (limit.algorithm() == Algorithm.SLIDING_LOG) {
			checkLogSize(attribute, point.max());
		}
		Limit.Builder constant = limit.toBuilder().max(point.max());
		constant.adaptive = null;
		constant.build();
	}

	static void checkNoPeriod(@Nullable Duration period) {
		if (period != null) {
			throw inNoWindow("period", DurationText.of(period));
		}
	}

	private static InvalidAttributeException inNoWindow(String attribute, Object value) {
		return new InvalidAttributeException(attribute, value,
				"concurrency limits the calls that run at once, not the calls per period.",
				"Remove it; a call holds its units until it ends. To limit calls per period, write another algorithm, or "
						+ "both under limits in the properties.");
	}

	private static void checkSlots(Limit limit, Limit.Builder settings) {
		if (!limit.hasSlots()) {
			return;
		}
		if (settings.calendar != null) {
			throw inNoWindow("calendar", settings.calendar.yamlName());
		}
		if (limit.minInterval() != null) {
			throw new InvalidAttributeException("min-interval", DurationText.of(limit.minInterval()),
					"concurrency limits the calls that run at once, whenever they begin.",
					"Remove it, or write a second limit, `{name: pace, max: 5, period: 1s}` for example.");
		}
		if (settings.lease != null) {
			checkLease(settings.lease);
		}
	}

	private static void checkLease(Duration lease) {
		if (lease.compareTo(Limit.MIN_LEASE) < 0 || lease.compareTo(Limit.MAX_LEASE) > 0) {
			throw new InvalidAttributeException("lease", DurationText.of(lease), "it has to be between 1 s and 1 h.",
					"Write how long the slots of an instance that died stay taken, `lease: 30s` for example; calls may "
							+ "take longer.");
		}
		checkMillis("lease", lease);
	}

	private static void checkCalendar(Limit.Builder settings) {
		CalendarUnit unit = settings.calendar;
		if (unit == null) {
			checkCalendarPresent("zone", settings.zone);
			checkCalendarPresent("zone", settings.zoneExpression);
			checkCalendarPresent("first-day", settings.firstDay);
			return;
		}
		String written = unit.yamlName();
		if (settings.period != null) {
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
