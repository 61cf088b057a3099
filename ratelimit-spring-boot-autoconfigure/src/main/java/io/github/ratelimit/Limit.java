package io.github.ratelimit;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * At most {@code max} units per {@code period}, counted by an {@link Algorithm}.
 * Immutable; the {@code with} methods return changed copies.
 *
 * @since 0.1.0
 */
public final class Limit {

	/**
	 * The largest {@code max} and {@code burst}.
	 */
	public static final long MAX_UNITS = 1_000_000_000;

	/**
	 * The largest {@code max} of {@link Algorithm#SLIDING_LOG}, which keeps an entry per
	 * unit.
	 */
	public static final int MAX_LOG_ENTRIES = 10_000;

	/**
	 * The longest period.
	 */
	public static final Duration MAX_PERIOD = Duration.ofDays(366);

	/**
	 * The largest number of {@link #segments()}.
	 */
	public static final int MAX_SEGMENTS = 100;

	/**
	 * The largest {@link #coldFactor()}.
	 */
	public static final int MAX_COLD_FACTOR = 10;

	/**
	 * The longest {@link #warmUpPeriod()}.
	 */
	public static final Duration MAX_WARM_UP_PERIOD = Duration.ofDays(30);

	private final LimitAttributes attributes;

	private final long max;

	private final Duration period;

	private final long periodMicros;

	private final Algorithm algorithm;

	private final Rate rate;

	private final long capacity;

	private final int segments;

	private final Align align;

	private final int coldFactor;

	private final boolean countDenied;

	private final @Nullable Limit interval;

	private Limit(LimitAttributes attributes) {
		this.attributes = attributes;
		Adaptive adaptive = attributes.get(LimitAttribute.ADAPTIVE);
		Long written = attributes.get(LimitAttribute.MAX);
		Long nominal = (written == null && adaptive != null) ? Long.valueOf(adaptive.low().max()) : written;
		LimitChecks.checkPresent("max", nominal, "Write how many units may pass, for example `max: 5`.");
		this.max = Objects.requireNonNull(nominal);
		Duration length = attributes.get(LimitAttribute.PERIOD);
		LimitChecks.checkPresent("period", length, "Write a duration, for example `period: 60s`.");
		this.period = Objects.requireNonNull(length);
		LimitChecks.checkDuration("period", this.period, MAX_PERIOD);
		this.algorithm = attributes.get(LimitAttribute.ALGORITHM, Algorithm.DEFAULT);
		this.periodMicros = micros(this.period);
		this.rate = Rate.of(Math.max(1, this.max), Math.max(1, this.periodMicros));
		this.capacity = attributes.get(LimitAttribute.BURST,
				(this.algorithm == Algorithm.LEAKY_BUCKET) ? 1L : this.max);
		this.segments = attributes.get(LimitAttribute.SEGMENTS, 10);
		this.align = attributes.get(LimitAttribute.ALIGN, Align.CLOCK);
		this.coldFactor = attributes.get(LimitAttribute.COLD_FACTOR, 3);
		this.countDenied = attributes.get(LimitAttribute.COUNT_DENIED, false);
		LimitChecks.check(this, attributes);
		Duration minInterval = minInterval();
		this.interval = (minInterval != null) ? of(1, minInterval).withAlgorithm(Algorithm.LEAKY_BUCKET) : null;
	}

	/**
	 * A limit counted by the default algorithm.
	 * @param max how many units, from 1 to {@link #MAX_UNITS}
	 * @param period in how much time, whole milliseconds from 1 ms to {@link #MAX_PERIOD}
	 * @return the limit
	 * @throws InvalidAttributeException if a value is out of range
	 */
	public static Limit of(long max, Duration period) {
		return of(LimitAttributes.NONE.with(LimitAttribute.MAX, max).with(LimitAttribute.PERIOD, period));
	}

	/**
	 * A limit of which some things were said.
	 * @param attributes what was said
	 * @return the limit
	 * @throws InvalidAttributeException if something is missing, out of range or without
	 * effect
	 */
	public static Limit of(LimitAttributes attributes) {
		return new Limit(attributes);
	}

	private <T> Limit with(LimitAttribute<T> attribute, T value) {
		return new Limit(this.attributes.with(attribute, value));
	}

	/**
	 * Name this limit among the several of its rule.
	 * @param newName lower case letters, digits and hyphens
	 * @return a changed copy
	 */
	public Limit withName(String newName) {
		return with(LimitAttribute.NAME, newName);
	}

	/**
	 * Change how many units are admitted per period.
	 * @param newMax the number of units, from 1 to {@link #MAX_UNITS}
	 * @return a changed copy
	 */
	public Limit withMax(long newMax) {
		return with(LimitAttribute.MAX, newMax);
	}

	/**
	 * Change how calls are counted.
	 * @param newAlgorithm the algorithm
	 * @return a changed copy
	 */
	public Limit withAlgorithm(Algorithm newAlgorithm) {
		return (newAlgorithm != Algorithm.DEFAULT) ? with(LimitAttribute.ALGORITHM, newAlgorithm)
				: new Limit(this.attributes.without(Set.of(LimitAttribute.ALGORITHM)));
	}

	/**
	 * Change how many units pass at once, for {@link Algorithm#TOKEN_BUCKET} and
	 * {@link Algorithm#LEAKY_BUCKET}.
	 * @param newBurst the capacity of the bucket, from 1 to {@link #MAX_UNITS}
	 * @return a changed copy
	 */
	public Limit withBurst(long newBurst) {
		return with(LimitAttribute.BURST, newBurst);
	}

	/**
	 * Change into how many sub-windows the period is cut, for
	 * {@link Algorithm#SLIDING_WINDOW}.
	 * @param newSegments from 2 to {@link #MAX_SEGMENTS}
	 * @return a changed copy
	 */
	public Limit withSegments(int newSegments) {
		return with(LimitAttribute.SEGMENTS, newSegments);
	}

	/**
	 * Change where windows begin, for {@link Algorithm#FIXED_WINDOW}.
	 * @param newAlign where
	 * @return a changed copy
	 */
	public Limit withAlign(Align newAlign) {
		return with(LimitAttribute.ALIGN, newAlign);
	}

	/**
	 * Change how long it takes to warm up, for {@link Algorithm#WARM_UP}.
	 * @param newWarmUpPeriod whole milliseconds up to {@link #MAX_WARM_UP_PERIOD}
	 * @return a changed copy
	 */
	public Limit withWarmUpPeriod(Duration newWarmUpPeriod) {
		return with(LimitAttribute.WARM_UP_PERIOD, newWarmUpPeriod);
	}

	/**
	 * Change how many times slower it is when cold, for {@link Algorithm#WARM_UP}.
	 * @param newColdFactor from 2 to {@link #MAX_COLD_FACTOR}
	 * @return a changed copy
	 */
	public Limit withColdFactor(int newColdFactor) {
		return with(LimitAttribute.COLD_FACTOR, newColdFactor);
	}

	/**
	 * Keep any two admitted calls of a key apart.
	 * @param newMinInterval by whole milliseconds from 1 ms to {@link #MAX_PERIOD}
	 * @return a changed copy
	 */
	public Limit withMinInterval(Duration newMinInterval) {
		return with(LimitAttribute.MIN_INTERVAL, newMinInterval);
	}

	/**
	 * Change whether denied calls count too, for {@link Algorithm#SLIDING_LOG} and
	 * {@link Algorithm#FIXED_WINDOW}: who keeps trying then stays out.
	 * @param newCountDenied whether they do
	 * @return a changed copy
	 */
	public Limit withCountDenied(boolean newCountDenied) {
		return with(LimitAttribute.COUNT_DENIED, newCountDenied);
	}

	/**
	 * Let {@link #max()} follow the load of this node.
	 * @param newAdaptive how
	 * @return a changed copy
	 */
	public Limit withAdaptive(Adaptive newAdaptive) {
		return with(LimitAttribute.ADAPTIVE, newAdaptive);
	}

	/**
	 * This limit, of which something else is said; all of it at once, since values are
	 * judged together.
	 * @param others what is said
	 * @return a changed copy
	 * @throws InvalidAttributeException if a value is out of range or without effect
	 */
	public Limit overriddenBy(LimitAttributes others) {
		return new Limit(this.attributes.overriddenBy(others));
	}

	/**
	 * This limit, with what others say where it says nothing.
	 */
	Limit completedBy(LimitAttributes others) {
		return new Limit(others.overriddenBy(this.attributes));
	}

	/**
	 * The name among several limits of a rule.
	 * @return the name, or {@code null} for the only limit of a rule
	 */
	public @Nullable String name() {
		return this.attributes.get(LimitAttribute.NAME);
	}

	/**
	 * How many units are admitted per period.
	 * @return the number of units; where only {@link #adaptive()} says it, that under low
	 * load
	 */
	public long max() {
		return this.max;
	}

	/**
	 * The time in which {@link #max()} units are admitted.
	 * @return the period
	 */
	public Duration period() {
		return this.period;
	}

	/**
	 * The period in the unit of all arithmetic.
	 * @return the period in microseconds
	 */
	public long periodMicros() {
		return this.periodMicros;
	}

	/**
	 * How calls are counted.
	 * @return the algorithm; never {@link Algorithm#DEFAULT} in a registered rule
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * The most units this limit can hold at once.
	 * @return the burst of a bucket, 1 for a {@link Algorithm#LEAKY_BUCKET} and
	 * {@link #max()} for all others unless said
	 */
	public long capacity() {
		return this.capacity;
	}

	/**
	 * Into how many sub-windows the period is cut.
	 * @return the number of segments, 10 unless said
	 */
	public int segments() {
		return this.segments;
	}

	/**
	 * Where windows begin.
	 * @return where, by the clock unless said
	 */
	public Align align() {
		return this.align;
	}

	/**
	 * How long it takes to warm up.
	 * @return the duration; unless said 10 s, or the period if that is longer
	 */
	public Duration warmUpPeriod() {
		Duration usual = Duration.ofSeconds(10);
		return this.attributes.get(LimitAttribute.WARM_UP_PERIOD,
				(this.period.compareTo(usual) > 0) ? this.period : usual);
	}

	/**
	 * How many times slower it is when cold.
	 * @return the factor, 3 unless said
	 */
	public int coldFactor() {
		return this.coldFactor;
	}

	/**
	 * How long the tokens of {@link Algorithm#WARM_UP} take to come back, from none to
	 * all: until it may warm up no further {@code warmUpPeriod / (coldFactor - 1)}, and
	 * {@code 2 * warmUpPeriod / (coldFactor + 1)} from there until it is cold.
	 * @return the time in microseconds, rounded down
	 */
	public long coolDownMicros() {
		long factor = coldFactor();
		return micros(warmUpPeriod()) * (3 * factor - 1) / (factor * factor - 1);
	}

	/**
	 * How far apart two admitted calls of a key are at least.
	 * @return the interval, or {@code null} if they may follow at once
	 */
	public @Nullable Duration minInterval() {
		return this.attributes.get(LimitAttribute.MIN_INTERVAL);
	}

	/**
	 * Whether the capacity was said, and does not follow from other values.
	 * @return whether there is a burst
	 */
	public boolean saysBurst() {
		return this.attributes.get(LimitAttribute.BURST) != null;
	}

	/**
	 * What keeps two admitted calls apart, whatever they cost.
	 * @return the limit of one call per {@link #minInterval()}, or {@code null} if they
	 * may follow at once
	 */
	public @Nullable Limit interval() {
		return this.interval;
	}

	/**
	 * Whether denied calls count too.
	 * @return {@code false} unless said
	 */
	public boolean countDenied() {
		return this.countDenied;
	}

	/**
	 * How {@link #max()} follows the load. Until the load is known, {@link #max()} holds.
	 * @return how, or {@code null} if it does not
	 */
	public @Nullable Adaptive adaptive() {
		return this.attributes.get(LimitAttribute.ADAPTIVE);
	}

	/**
	 * The exact rate of {@link #max()} per {@link #period()}.
	 * @return the rate
	 */
	public Rate rate() {
		return this.rate;
	}

	private static long micros(Duration period) {
		return period.toMillis() * 1000;
	}

	static String yamlName(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || other instanceof Limit that && this.attributes.equals(that.attributes);
	}

	@Override
	public int hashCode() {
		return this.attributes.hashCode();
	}

	@Override
	public String toString() {
		Long burst = this.attributes.get(LimitAttribute.BURST);
		return this.algorithm.yamlName() + ' ' + this.max + " per " + DurationText.of(this.period)
				+ ((burst != null) ? " with a burst of " + burst : "");
	}

}
