package io.github.ratelimit;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Objects;

import io.github.ratelimit.arithmetic.Rate;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * At most {@code max} units per {@code period}, counted by an {@link Algorithm}.
 * Immutable; the {@code with} methods return changed copies.
 *
 * @since 0.1.0
 */
public final class Limit {

	/** The largest {@code max} and {@code burst}. */
	public static final long MAX_UNITS = 1_000_000_000;

	/**
	 * The largest {@code max} of {@link Algorithm#SLIDING_LOG}, which keeps an entry per
	 * unit.
	 */
	public static final int MAX_LOG_ENTRIES = 10_000;

	/** The longest period. */
	public static final Duration MAX_PERIOD = Duration.ofDays(366);

	/** The largest number of {@link #segments()}. */
	public static final int MAX_SEGMENTS = 100;

	/** The largest {@link #coldFactor()}. */
	public static final int MAX_COLD_FACTOR = 10;

	/** The longest {@link #warmUpPeriod()}. */
	public static final Duration MAX_WARM_UP_PERIOD = Duration.ofDays(30);

	/** The shortest {@link #lease()}. */
	public static final Duration MIN_LEASE = Duration.ofSeconds(1);

	/** The longest {@link #lease()}. */
	public static final Duration MAX_LEASE = Duration.ofHours(1);

	/** Values that are set, by the indexes of their attributes. */
	private final @Nullable Object[] written;

	private final long max;

	private final Duration period;

	private final long periodMicros;

	private final Algorithm algorithm;

	private final Rate rate;

	private final long capacity;

	private final int segments;

	private final Align align;

	private final @Nullable LimitCalendar calendar;

	private final Duration warmUpPeriod;

	private final @Nullable Limit interval;

	/** Whether the capacity is that of valid numbers less a headroom, perhaps nothing. */
	private final boolean reduced;

	private int hash;

	private Limit(Builder settings) {
		this.written = settings.values.clone();
		this.reduced = settings.reduced;
		this.max = LimitChecks.max(this);
		this.period = LimitChecks.period(this);
		CalendarUnit unit = written(LimitAttribute.CALENDAR);
		this.calendar = (unit == null) ? null : new LimitCalendar(unit, writtenOrDefault(LimitAttribute.ZONE),
				writtenOrDefault(LimitAttribute.FIRST_DAY));
		Algorithm counting = written(LimitAttribute.ALGORITHM);
		this.algorithm = (counting != null) ? counting
				: (this.calendar != null) ? Algorithm.FIXED_WINDOW : Algorithm.DEFAULT;
		this.periodMicros = micros(this.period);
		this.rate = Rate.of(Math.max(1, this.max), Math.max(1, this.periodMicros));
		Long burst = written(LimitAttribute.BURST);
		this.capacity = (burst != null) ? burst : (this.algorithm == Algorithm.LEAKY_BUCKET) ? 1 : this.max;
		this.segments = writtenOrDefault(LimitAttribute.SEGMENTS);
		this.align = writtenOrDefault(LimitAttribute.ALIGN);
		Duration warmUp = writtenOrDefault(LimitAttribute.WARM_UP_PERIOD);
		boolean isWritten = written(LimitAttribute.WARM_UP_PERIOD) != null;
		this.warmUpPeriod = (isWritten || this.period.compareTo(warmUp) < 0) ? warmUp : this.period;
		if (!this.reduced) {
			LimitChecks.check(this);
		}
		Duration minInterval = minInterval();
		this.interval = (minInterval != null) ? of(1, minInterval).withAlgorithm(Algorithm.LEAKY_BUCKET) : null;
	}

	/** Return the value to which an attribute is set, {@code null} if it is not. */
	@SuppressWarnings("unchecked")
	<T> @Nullable T written(LimitAttribute<T> attribute) {
		return (T) this.written[attribute.index()];
	}

	private <T> T writtenOrDefault(LimitAttribute<T> attribute) {
		T written = written(attribute);
		return (written != null) ? written : Objects.requireNonNull(attribute.byDefault());
	}

	private static long micros(Duration duration) {
		return duration.toMillis() * 1000;
	}

	/**
	 * {@return a limit that is counted by the default algorithm}
	 * @param max the number of units, from 1 to {@link #MAX_UNITS}
	 * @param period the time in which they are admitted, whole milliseconds from 1 ms to
	 * {@link #MAX_PERIOD}
	 * @throws InvalidAttributeException if a value is out of range
	 */
	public static Limit of(long max, Duration period) {
		return builder().max(max).period(period).build();
	}

	/**
	 * {@return a limit per window of a calendar, counted by
	 * {@link Algorithm#FIXED_WINDOW}}
	 * @param max the number of units, from 1 to {@link #MAX_UNITS}
	 * @param unit the unit of a window
	 * @param zone the time zone of the calendar
	 */
	public static Limit ofCalendar(long max, CalendarUnit unit, ZoneId zone) {
		return builder().max(max).calendar(unit).zone(zone).algorithm(Algorithm.FIXED_WINDOW).build();
	}

	/**
	 * {@return a limit of calls that run at once, counted by
	 * {@link Algorithm#CONCURRENCY}}
	 * @param max the number of units that calls may hold together, from 1 to
	 * {@link #MAX_UNITS}
	 */
	public static Limit ofConcurrency(long max) {
		return builder().max(max).algorithm(Algorithm.CONCURRENCY).build();
	}

	/**
	 * {@return a builder without values}
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * {@return a builder with the values of this limit}
	 */
	public Builder toBuilder() {
		Builder builder = new Builder();
		System.arraycopy(this.written, 0, builder.values, 0, this.written.length);
		builder.reduced = this.reduced;
		return builder;
	}

	/**
	 * {@return this limit as it decides calls that leave a part of the capacity free, at
	 * the same rate}
	 * @param units the headroom; nothing is admitted if it is the whole capacity
	 */
	Limit below(long units) {
		Builder builder = toBuilder();
		builder.reduced = true;
		long rest = Math.max(0, this.capacity - units);
		return (this.algorithm == Algorithm.TOKEN_BUCKET) ? builder.burst(rest).build() : builder.max(rest).build();
	}

	/**
	 * {@return a copy with another name among the several limits of its rule}
	 * @param newName lower case letters, digits and hyphens, 100 at most
	 */
	public Limit withName(String newName) {
		return toBuilder().name(newName).build();
	}

	/**
	 * {@return a copy that admits another number of units per period}
	 * @param newMax the number of units, from 1 to {@link #MAX_UNITS}
	 */
	public Limit withMax(long newMax) {
		return toBuilder().max(newMax).build();
	}

	/**
	 * {@return a copy that is counted by another algorithm}
	 * @param newAlgorithm the algorithm
	 */
	public Limit withAlgorithm(Algorithm newAlgorithm) {
		return toBuilder().algorithm(newAlgorithm).build();
	}

	/**
	 * {@return a copy that lets another number of units pass at once, for
	 * {@link Algorithm#TOKEN_BUCKET} and {@link Algorithm#LEAKY_BUCKET}}
	 * @param newBurst the capacity of the bucket, from 1 to {@link #MAX_UNITS}
	 */
	public Limit withBurst(long newBurst) {
		return toBuilder().burst(newBurst).build();
	}

	/**
	 * {@return a copy with another number of sub-windows of a period, for
	 * {@link Algorithm#SLIDING_WINDOW}}
	 * @param newSegments the number, from 2 to {@link #MAX_SEGMENTS}
	 */
	public Limit withSegments(int newSegments) {
		return toBuilder().segments(newSegments).build();
	}

	/**
	 * {@return a copy with another start of windows, for {@link Algorithm#FIXED_WINDOW}}
	 * @param newAlign the start
	 */
	public Limit withAlign(Align newAlign) {
		return toBuilder().align(newAlign).build();
	}

	/**
	 * {@return a copy with another day on which the months of a calendar begin, and its
	 * years in January}
	 * @param newFirstDay the day, from 1 to 28
	 */
	public Limit withFirstDay(int newFirstDay) {
		return toBuilder().firstDay(newFirstDay).build();
	}

	/**
	 * {@return a copy whose calendar has another time zone, the same for all calls}
	 * @param newZone the zone
	 */
	public Limit withZone(ZoneId newZone) {
		return toBuilder().zone(newZone).build();
	}

	/**
	 * {@return a copy with another time from cold to warm, for {@link Algorithm#WARM_UP}}
	 * @param newWarmUpPeriod whole milliseconds up to {@link #MAX_WARM_UP_PERIOD}
	 */
	public Limit withWarmUpPeriod(Duration newWarmUpPeriod) {
		return toBuilder().warmUpPeriod(newWarmUpPeriod).build();
	}

	/**
	 * {@return a copy with another factor by which a cold limit is slower, for
	 * {@link Algorithm#WARM_UP}}
	 * @param newColdFactor the factor, from 2 to {@link #MAX_COLD_FACTOR}
	 */
	public Limit withColdFactor(int newColdFactor) {
		return toBuilder().coldFactor(newColdFactor).build();
	}

	/**
	 * {@return a copy with another shortest time between two admitted calls of a key}
	 * @param newMinInterval whole milliseconds from 1 ms to {@link #MAX_PERIOD}
	 */
	public Limit withMinInterval(Duration newMinInterval) {
		return toBuilder().minInterval(newMinInterval).build();
	}

	/**
	 * Change whether denied calls count too, for {@link Algorithm#SLIDING_LOG} and
	 * {@link Algorithm#FIXED_WINDOW}: callers that keep trying then stay denied.
	 * @param newCountDenied whether denied calls count
	 * @return a changed copy
	 */
	public Limit withCountDenied(boolean newCountDenied) {
		return toBuilder().countDenied(newCountDenied).build();
	}

	/**
	 * {@return a copy whose {@link #max()} follows the load of this instance}
	 * @param newAdaptive the function of the load
	 */
	public Limit withAdaptive(Adaptive newAdaptive) {
		return toBuilder().adaptive(newAdaptive).build();
	}

	/**
	 * {@return a copy with another time after which the slots of an instance that died
	 * are free, for {@link Algorithm#CONCURRENCY}}
	 * @param newLease whole milliseconds from {@link #MIN_LEASE} to {@link #MAX_LEASE}
	 */
	public Limit withLease(Duration newLease) {
		return toBuilder().lease(newLease).build();
	}

	/**
	 * {@return the name among the limits of a rule, {@code null} for the only one}
	 */
	public @Nullable String name() {
		return written(LimitAttribute.NAME);
	}

	/**
	 * {@return the number of units that are admitted per period; that under low load if
	 * only {@link #adaptive()} is set}
	 */
	public long max() {
		return this.max;
	}

	/**
	 * {@return the time in which {@link #max()} units are admitted; that of the
	 * {@linkplain CalendarUnit#longest() longest} window of a calendar;
	 * {@link Duration#ZERO} for {@link Algorithm#CONCURRENCY}}
	 */
	public Duration period() {
		return this.period;
	}

	/**
	 * {@return the time in which {@link #max()} units are admitted at some time: the
	 * length of the window of the calendar, else the period}
	 * @param time the time in microseconds since 1970-01-01T00:00Z
	 */
	public Duration periodAt(long time) {
		return (this.calendar != null) ? this.calendar.windowAt(time).length() : this.period;
	}

	/**
	 * {@return the calendar in whose windows {@link #max()} units are admitted,
	 * {@code null} if the limit has a period of its own}
	 */
	public @Nullable LimitCalendar calendar() {
		return this.calendar;
	}

	/**
	 * {@return the period in microseconds, the unit of all arithmetic}
	 */
	public long periodMicros() {
		return this.periodMicros;
	}

	/**
	 * {@return the algorithm that counts calls; never {@link Algorithm#DEFAULT} in a
	 * registered rule}
	 */
	public Algorithm algorithm() {
		return this.algorithm;
	}

	/**
	 * {@return the most units this limit can hold at once: the burst of a bucket; by
	 * default 1 for a {@link Algorithm#LEAKY_BUCKET} and {@link #max()} for all others}
	 */
	public long capacity() {
		return this.capacity;
	}

	/**
	 * {@return whether the capacity is set and does not follow from other values}
	 */
	public boolean saysBurst() {
		return written(LimitAttribute.BURST) != null;
	}

	/**
	 * {@return the number of sub-windows of a period, by default 10}
	 */
	public int segments() {
		return this.segments;
	}

	/**
	 * {@return the start of windows, by default that of the clock}
	 */
	public Align align() {
		return this.align;
	}

	/**
	 * {@return the time from cold to warm; by default 10 s, or the period if longer}
	 */
	public Duration warmUpPeriod() {
		return this.warmUpPeriod;
	}

	/**
	 * {@return the factor by which a cold limit is slower, by default 3}
	 */
	public int coldFactor() {
		return writtenOrDefault(LimitAttribute.COLD_FACTOR);
	}

	/**
	 * {@return the time in which the tokens of {@link Algorithm#WARM_UP} return, from
	 * none to all, in microseconds, rounded down: {@code warmUpPeriod / (coldFactor - 1)}
	 * until no further warm-up is possible, and {@code 2 * warmUpPeriod / (coldFactor +
	 * 1)} from there until the limit is cold}
	 */
	public long coolDownMicros() {
		long factor = coldFactor();
		return micros(warmUpPeriod()) * (3 * factor - 1) / (factor * factor - 1);
	}

	/**
	 * {@return the shortest time between two admitted calls of a key, {@code null} if
	 * they may follow at once}
	 */
	public @Nullable Duration minInterval() {
		return written(LimitAttribute.MIN_INTERVAL);
	}

	/**
	 * {@return whether denied calls count too, by default {@code false}}
	 */
	public boolean countDenied() {
		return Boolean.TRUE.equals(written(LimitAttribute.COUNT_DENIED));
	}

	/**
	 * {@return the function by which {@link #max()} follows the load, {@code null} if
	 * there is none} Until the load is known, {@link #max()} holds.
	 */
	public @Nullable Adaptive adaptive() {
		return written(LimitAttribute.ADAPTIVE);
	}

	/**
	 * {@return the time after which the slots of an instance that died are free, by
	 * default 30 s; without meaning beside other algorithms than
	 * {@link Algorithm#CONCURRENCY}}
	 */
	public Duration lease() {
		return writtenOrDefault(LimitAttribute.LEASE);
	}

	/**
	 * {@return whether calls hold their units until they end, by
	 * {@link Algorithm#CONCURRENCY}}
	 */
	public boolean hasSlots() {
		return this.algorithm == Algorithm.CONCURRENCY;
	}

	/**
	 * {@return the value of an attribute, set or by default; {@code null} if this limit
	 * has none, or none with an effect}
	 * @param <T> the type of its values
	 * @param attribute the attribute
	 */
	public <T> @Nullable T get(LimitAttribute<T> attribute) {
		T written = written(attribute);
		return (written != null) ? written : byDefault(attribute);
	}

	@SuppressWarnings("unchecked")
	private <T> @Nullable T byDefault(LimitAttribute<T> attribute) {
		if (attribute == LimitAttribute.MAX) {
			return (T) (Long) this.max;
		}
		if (attribute == LimitAttribute.ALGORITHM) {
			return (T) this.algorithm;
		}
		if ((this.calendar != null) ? !this.calendar.has(attribute)
				: !attribute.algorithms().contains(this.algorithm)) {
			return null;
		}
		if (attribute == LimitAttribute.BURST) {
			return (T) (Long) this.capacity;
		}
		return (attribute == LimitAttribute.WARM_UP_PERIOD) ? (T) this.warmUpPeriod : attribute.byDefault();
	}

	/**
	 * {@return the exact rate of {@link #max()} per {@link #period()}}
	 */
	public Rate rate() {
		return this.rate;
	}

	/**
	 * {@return the limit of one call per {@link #minInterval()}, which keeps admitted
	 * calls apart regardless of their cost; {@code null} if they may follow at once}
	 */
	public @Nullable Limit interval() {
		return this.interval;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return this == other || other instanceof Limit that && Arrays.equals(this.written, that.written);
	}

	@Override
	public int hashCode() {
		int known = this.hash;
		if (known == 0) {
			known = Arrays.hashCode(this.written);
			this.hash = known;
		}
		return known;
	}

	@Override
	public String toString() {
		if (hasSlots()) {
			return algorithm().yamlName() + ' ' + max();
		}
		Object window = (calendar() != null) ? calendar() : DurationText.of(period());
		return algorithm().yamlName() + ' ' + max() + " per " + window
				+ (saysBurst() ? " with a burst of " + capacity() : "");
	}

	/**
	 * Settings that builders of limits and of rules collect. Those that are not set are
	 * left to their defaults.
	 *
	 * @param <B> the type of the builder
	 */
	public abstract static sealed class Settings<B extends Settings<B>> permits Builder, RateLimitRule.Builder {

		final @Nullable Object[] values = new Object[LimitAttribute.all().size()];

		Settings() {
		}

		abstract B self();

		<T> B put(LimitAttribute<T> attribute, @Nullable T value) {
			this.values[attribute.index()] = value;
			return self();
		}

		B putSaid(LimitAttribute<?> attribute, Limit limit) {
			this.values[attribute.index()] = limit.written(attribute);
			return self();
		}

		/** Add the settings of others that are not set here. */
		final B completedBy(Settings<?> others) {
			for (int i = 0; i < this.values.length; i++) {
				this.values[i] = (this.values[i] != null) ? this.values[i] : others.values[i];
			}
			return self();
		}

		/**
		 * Set the algorithm that counts calls.
		 * @param algorithm the algorithm; {@link Algorithm#DEFAULT} leaves it to the
		 * default
		 * @return this builder
		 */
		public B algorithm(Algorithm algorithm) {
			return put(LimitAttribute.ALGORITHM, (algorithm != Algorithm.DEFAULT) ? algorithm : null);
		}

		/**
		 * Set the number of units that pass at once, for {@link Algorithm#TOKEN_BUCKET}
		 * and {@link Algorithm#LEAKY_BUCKET}.
		 * @param burst the capacity of the bucket, from 1 to {@link Limit#MAX_UNITS}
		 * @return this builder
		 */
		public B burst(long burst) {
			return put(LimitAttribute.BURST, burst);
		}

		/**
		 * Set the number of sub-windows of a period, for
		 * {@link Algorithm#SLIDING_WINDOW}.
		 * @param segments the number, from 2 to {@link Limit#MAX_SEGMENTS}
		 * @return this builder
		 */
		public B segments(int segments) {
			return put(LimitAttribute.SEGMENTS, segments);
		}

		/**
		 * Set the start of windows, for {@link Algorithm#FIXED_WINDOW}.
		 * @param align the start
		 * @return this builder
		 */
		public B align(Align align) {
			return put(LimitAttribute.ALIGN, align);
		}

		/**
		 * Set the time from cold to warm, for {@link Algorithm#WARM_UP}.
		 * @param warmUpPeriod whole milliseconds up to {@link Limit#MAX_WARM_UP_PERIOD}
		 * @return this builder
		 */
		public B warmUpPeriod(Duration warmUpPeriod) {
			return put(LimitAttribute.WARM_UP_PERIOD, warmUpPeriod);
		}

		/**
		 * Set the factor by which a cold limit is slower, for {@link Algorithm#WARM_UP}.
		 * @param coldFactor the factor, from 2 to {@link Limit#MAX_COLD_FACTOR}
		 * @return this builder
		 */
		public B coldFactor(int coldFactor) {
			return put(LimitAttribute.COLD_FACTOR, coldFactor);
		}

		/**
		 * Set the shortest time between two admitted calls of a key.
		 * @param minInterval whole milliseconds from 1 ms to {@link Limit#MAX_PERIOD}
		 * @return this builder
		 */
		public B minInterval(Duration minInterval) {
			return put(LimitAttribute.MIN_INTERVAL, minInterval);
		}

		/**
		 * Set whether denied calls count too, for {@link Algorithm#SLIDING_LOG} and
		 * {@link Algorithm#FIXED_WINDOW}: callers that keep trying then stay denied.
		 * @param countDenied whether denied calls count
		 * @return this builder
		 */
		public B countDenied(boolean countDenied) {
			return put(LimitAttribute.COUNT_DENIED, countDenied);
		}

		/**
		 * Make {@code max} follow the load of this instance.
		 * @param adaptive the function of the load
		 * @return this builder
		 */
		public B adaptive(Adaptive adaptive) {
			return put(LimitAttribute.ADAPTIVE, adaptive);
		}

		/**
		 * Set the time after which the slots of an instance that died are free, for
		 * {@link Algorithm#CONCURRENCY}. A living instance renews all of its slots, so
		 * calls may take longer.
		 * @param lease whole milliseconds from 1 s to 1 h
		 * @return this builder
		 */
		public B lease(Duration lease) {
			return put(LimitAttribute.LEASE, lease);
		}

	}

	/** Collects the values of a limit, which are checked together. */
	public static final class Builder extends Settings<Builder> {

		private boolean reduced;

		private Builder() {
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Set the name among several limits of a rule.
		 * @param name lower case letters, digits and hyphens, 100 at most
		 * @return this builder
		 */
		public Builder name(String name) {
			return put(LimitAttribute.NAME, name);
		}

		/**
		 * Set the number of units that are admitted per period.
		 * @param max the number of units, from 1 to {@link Limit#MAX_UNITS}
		 * @return this builder
		 */
		public Builder max(long max) {
			return put(LimitAttribute.MAX, max);
		}

		/**
		 * Set the time in which {@code max} units are admitted.
		 * @param period whole milliseconds from 1 ms to {@link Limit#MAX_PERIOD}
		 * @return this builder
		 */
		public Builder period(Duration period) {
			return put(LimitAttribute.PERIOD, period);
		}

		/**
		 * Set the calendar in whose windows {@code max} units are admitted, instead of a
		 * period. Calls are counted by {@link Algorithm#FIXED_WINDOW}.
		 * @param calendar the unit of a window
		 * @return this builder
		 */
		public Builder calendar(CalendarUnit calendar) {
			return put(LimitAttribute.CALENDAR, calendar);
		}

		/**
		 * Set the time zone of the calendar.
		 * @param zone the zone, by default UTC
		 * @return this builder
		 */
		public Builder zone(ZoneId zone) {
			return put(LimitAttribute.ZONE, zone.getId());
		}

		/**
		 * Set the time zone of the calendar by its name, or by an expression that selects
		 * the zone of each call.
		 * @param zone the name of a zone, or a SpEL expression with {@code @}, {@code #}
		 * or a parenthesis: {@code @customers.zoneOf(#tenant)} for example
		 * @return this builder
		 * @throws InvalidAttributeException if it is neither
		 * @see LimitCalendar#zoneExpression()
		 */
		public Builder zone(String zone) {
			if (LimitCalendar.isExpression(zone)) {
				return put(LimitAttribute.ZONE, zone);
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
		public Builder firstDay(int firstDay) {
			return put(LimitAttribute.FIRST_DAY, firstDay);
		}

		/**
		 * Set an attribute.
		 * @param <T> the type of its values
		 * @param attribute the attribute
		 * @param value its value
		 * @return this builder
		 * @throws InvalidAttributeException if it is no time zone
		 */
		public <T> Builder set(LimitAttribute<T> attribute, T value) {
			return (attribute == LimitAttribute.ZONE) ? zone((String) value) : put(attribute, value);
		}

		/**
		 * {@return the limit of these values}
		 * @throws InvalidAttributeException if a value is missing, out of range or
		 * without effect
		 */
		public Limit build() {
			return new Limit(this);
		}

	}

}
