package io.github.ratelimit;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import io.github.ratelimit.arithmetic.Rate;
import org.jspecify.annotations.Nullable;

/**
 * Values of a limit, each as set or by default, and the numbers that follow from them.
 */
abstract sealed class LimitValues permits LimitCopies {

	private static final Duration USUAL_LEASE = Duration.ofSeconds(30);

	private static final Duration USUAL_WARM_UP_PERIOD = Duration.ofSeconds(10);

	private final Limit.Builder settings;

	private final long max;

	private final Duration period;

	private final long periodMicros;

	private final Algorithm algorithm;

	private final Rate rate;

	private final long capacity;

	private final int segments;

	private final Align align;

	private final @Nullable LimitCalendar calendar;

	private final int coldFactor;

	private final boolean countDenied;

	private int hash;

	LimitValues(Limit.Builder settings) {
		this.settings = settings;
		this.max = max(settings);
		this.period = period(settings);
		this.calendar = calendar(settings);
		this.algorithm = either(settings.algorithm,
				(this.calendar != null) ? Algorithm.FIXED_WINDOW : Algorithm.DEFAULT);
		this.periodMicros = micros(this.period);
		this.rate = Rate.of(Math.max(1, this.max), Math.max(1, this.periodMicros));
		this.capacity = either(settings.burst, (this.algorithm == Algorithm.LEAKY_BUCKET) ? 1L : this.max);
		this.segments = either(settings.segments, 10);
		this.align = either(settings.align, Align.CLOCK);
		this.coldFactor = either(settings.coldFactor, 3);
		this.countDenied = either(settings.countDenied, false);
	}

	private static long max(Limit.Builder settings) {
		Long max = (settings.max == null && settings.adaptive != null) ? Long.valueOf(settings.adaptive.low().max())
				: settings.max;
		LimitChecks.checkPresent("max", max, "Write how many units may pass, for example `max: 5`.");
		return Objects.requireNonNull(max);
	}

	private static @Nullable LimitCalendar calendar(Limit.Builder settings) {
		return (settings.calendar == null) ? null : new LimitCalendar(settings.calendar,
				either(settings.zone, LimitCalendar.UTC), either(settings.firstDay, 1), settings.zoneExpression);
	}

	private static Duration period(Limit.Builder settings) {
		if (settings.calendar != null) {
			return settings.calendar.longest();
		}
		if (settings.algorithm == Algorithm.CONCURRENCY) {
			SlotChecks.checkNoPeriod(settings.period);
			return Duration.ZERO;
		}
		LimitChecks.checkPresent("period", settings.period, "Write a duration, for example `period: 60s`.");
		Duration period = Objects.requireNonNull(settings.period);
		LimitChecks.checkDuration("period", period, Limit.MAX_PERIOD);
		return period;
	}

	private static <T> T either(@Nullable T value, T byDefault) {
		return (value != null) ? value : byDefault;
	}

	private static long micros(Duration duration) {
		return duration.toMillis() * 1000;
	}

	/**
	 * Return a copy of the settings.
	 */
	final Limit.Builder settings() {
		return new Limit.Builder(this.settings);
	}

	/**
	 * Return the values that are set, for comparisons.
	 */
	private List<@Nullable Object> set() {
		Limit.Builder set = this.settings;
		return Arrays.asList(set.name, set.max, set.period, set.calendar, set.zone, set.zoneExpression, set.firstDay,
				set.algorithm, set.burst, set.segments, set.align, set.warmUpPeriod, set.coldFactor, set.minInterval,
				set.countDenied, set.adaptive, set.lease);
	}

	/**
	 * Return the name among several limits of a rule.
	 * @return the name, or {@code null} for the only limit of a rule
	 */
	public final @Nullable String name() {
		return this.settings.name;
	}

	/**
	 * Return the number of units that are admitted per period.
	 * @return the number of units; that under low load if only {@link #adaptive()} is set
	 */
	public final long max() {
		return this.max;
	}

	/**
	 * Return the time in which {@link #max()} units are admitted.
	 * @return the period; that of the {@linkplain CalendarUnit#longest() longest} window
	 * of a calendar; {@link Duration#ZERO} for {@link Algorithm#CONCURRENCY}
	 */
	public final Duration period() {
		return this.period;
	}

	/**
	 * Return the time in which {@link #max()} units are admitted at some time.
	 * @param time the time in microseconds since 1970-01-01T00:00Z
	 * @return the length of the window of the calendar, else the period
	 */
	public final Duration periodAt(long time) {
		return (this.calendar != null) ? this.calendar.windowAt(time).length() : this.period;
	}

	/**
	 * Return the calendar in whose windows {@link #max()} units are admitted.
	 * @return the calendar, or {@code null} if the limit has a period of its own
	 */
	public final @Nullable LimitCalendar calendar() {
		return this.calendar;
	}

	/**
	 * Return the period in the unit of all arithmetic.
	 * @return the period in microseconds
	 */
	public final long periodMicros() {
		return this.periodMicros;
	}

	/**
	 * Return the algorithm that counts calls.
	 * @return the algorithm; never {@link Algorithm#DEFAULT} in a registered rule
	 */
	public final Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * Return the most units this limit can hold at once.
	 * @return the burst of a bucket; by default 1 for a {@link Algorithm#LEAKY_BUCKET}
	 * and {@link #max()} for all others
	 */
	public final long capacity() {
		return this.capacity;
	}

	/**
	 * Return whether the capacity is set and does not follow from other values.
	 * @return whether there is a burst
	 */
	public final boolean saysBurst() {
		return this.settings.burst != null;
	}

	/**
	 * Return the number of sub-windows of a period.
	 * @return the number of segments, by default 10
	 */
	public final int segments() {
		return this.segments;
	}

	/**
	 * Return the start of windows.
	 * @return the start, by default that of the clock
	 */
	public final Align align() {
		return this.align;
	}

	/**
	 * Return the time from cold to warm.
	 * @return the duration; by default 10 s, or the period if that is longer
	 */
	public final Duration warmUpPeriod() {
		return either(this.settings.warmUpPeriod,
				(this.period.compareTo(USUAL_WARM_UP_PERIOD) > 0) ? this.period : USUAL_WARM_UP_PERIOD);
	}

	/**
	 * Return the factor by which a cold limit is slower.
	 * @return the factor, by default 3
	 */
	public final int coldFactor() {
		return this.coldFactor;
	}

	/**
	 * Return the time in which the tokens of {@link Algorithm#WARM_UP} return, from none
	 * to all: {@code warmUpPeriod / (coldFactor - 1)} until no further warm-up is
	 * possible, and {@code 2 * warmUpPeriod / (coldFactor + 1)} from there until the
	 * limit is cold.
	 * @return the time in microseconds, rounded down
	 */
	public final long coolDownMicros() {
		long factor = coldFactor();
		return micros(warmUpPeriod()) * (3 * factor - 1) / (factor * factor - 1);
	}

	/**
	 * Return the shortest time between two admitted calls of a key.
	 * @return the interval, or {@code null} if calls may follow at once
	 */
	public final @Nullable Duration minInterval() {
		return this.settings.minInterval;
	}

	/**
	 * Return whether denied calls count too.
	 * @return whether they do, by default {@code false}
	 */
	public final boolean countDenied() {
		return this.countDenied;
	}

	/**
	 * Return the function by which {@link #max()} follows the load. Until the load is
	 * known, {@link #max()} holds.
	 * @return the function, or {@code null} if {@link #max()} is constant
	 */
	public final @Nullable Adaptive adaptive() {
		return this.settings.adaptive;
	}

	/**
	 * Return the time after which the slots of an instance that died are free.
	 * @return the lease, by default 30 s; without meaning beside other algorithms than
	 * {@link Algorithm#CONCURRENCY}
	 */
	public final Duration lease() {
		return either(this.settings.lease, USUAL_LEASE);
	}

	/**
	 * Return whether calls hold their units until they end.
	 * @return whether the algorithm is {@link Algorithm#CONCURRENCY}
	 */
	public final boolean hasSlots() {
		return this.algorithm == Algorithm.CONCURRENCY;
	}

	/**
	 * Return the exact rate of {@link #max()} per {@link #period()}.
	 * @return the rate
	 */
	public final Rate rate() {
		return this.rate;
	}

	@Override
	public final boolean equals(@Nullable Object other) {
		return this == other || other instanceof LimitValues that && set().equals(that.set());
	}

	@Override
	public final int hashCode() {
		int known = this.hash;
		if (known == 0) {
			known = set().hashCode();
			this.hash = known;
		}
		return known;
	}

}
