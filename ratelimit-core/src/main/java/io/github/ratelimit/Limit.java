package io.github.ratelimit;

import java.time.Duration;
import java.time.ZoneId;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * At most {@code max} units per {@code period}, counted by an {@link Algorithm}.
 * Immutable; the {@code with} methods return changed copies.
 *
 * @since 0.1.0
 */
public final class Limit extends LimitCopies {

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

	/**
	 * The shortest {@link #lease()}.
	 */
	public static final Duration MIN_LEASE = Duration.ofSeconds(1);

	/**
	 * The longest {@link #lease()}.
	 */
	public static final Duration MAX_LEASE = Duration.ofHours(1);

	private final @Nullable Limit interval;

	private Limit(Builder settings) {
		super(settings);
		LimitChecks.check(this, settings);
		Duration minInterval = minInterval();
		this.interval = (minInterval != null) ? of(1, minInterval).withAlgorithm(Algorithm.LEAKY_BUCKET) : null;
	}

	/**
	 * Create a limit that is counted by the default algorithm.
	 * @param max the number of units, from 1 to {@link #MAX_UNITS}
	 * @param period the time in which they are admitted, whole milliseconds from 1 ms to
	 * {@link #MAX_PERIOD}
	 * @return the limit
	 * @throws InvalidAttributeException if a value is out of range
	 */
	public static Limit of(long max, Duration period) {
		return builder().max(max).period(period).build();
	}

	/**
	 * Create a limit per window of a calendar, counted by {@link Algorithm#FIXED_WINDOW}.
	 * @param max the number of units, from 1 to {@link #MAX_UNITS}
	 * @param unit the unit of a window
	 * @param zone the time zone of the calendar
	 * @return the limit
	 */
	public static Limit ofCalendar(long max, CalendarUnit unit, ZoneId zone) {
		return builder().max(max).calendar(unit).zone(zone).algorithm(Algorithm.FIXED_WINDOW).build();
	}

	/**
	 * Create a limit of calls that run at once, counted by {@link Algorithm#CONCURRENCY}.
	 * @param max the number of units that calls may hold together, from 1 to
	 * {@link #MAX_UNITS}
	 * @return the limit
	 */
	public static Limit ofConcurrency(long max) {
		return builder().max(max).algorithm(Algorithm.CONCURRENCY).build();
	}

	/**
	 * Begin a limit of which several values are set together.
	 * @return a builder without values
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Begin a copy of this limit of which several values are changed together.
	 * @return a builder with the values of this limit
	 */
	public Builder toBuilder() {
		return settings();
	}

	/**
	 * Return the limit that keeps admitted calls apart, regardless of their cost.
	 * @return the limit of one call per {@link #minInterval()}, or {@code null} if calls
	 * may follow at once
	 */
	public @Nullable Limit interval() {
		return this.interval;
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
	 * Collects the values of a limit, which are checked together.
	 */
	public static final class Builder extends CalendarSettings<Builder> {

		@Nullable String name;

		@Nullable Long max;

		@Nullable Duration period;

		private Builder() {
		}

		Builder(Builder other) {
			completedBy(other);
			this.name = other.name;
			this.max = other.max;
			this.period = other.period;
			copyCalendar(other);
		}

		@Override
		Builder self() {
			return this;
		}

		/**
		 * Set the name among several limits of a rule.
		 * @param name lower case letters, digits and hyphens
		 * @return this builder
		 */
		public Builder name(String name) {
			this.name = name;
			return this;
		}

		/**
		 * Set the number of units that are admitted per period.
		 * @param max the number of units, from 1 to {@link Limit#MAX_UNITS}
		 * @return this builder
		 */
		public Builder max(long max) {
			this.max = max;
			return this;
		}

		/**
		 * Set the time in which {@code max} units are admitted.
		 * @param period whole milliseconds from 1 ms to {@link Limit#MAX_PERIOD}
		 * @return this builder
		 */
		public Builder period(Duration period) {
			this.period = period;
			return this;
		}

		/**
		 * Build the limit.
		 * @return the limit
		 * @throws InvalidAttributeException if a value is missing, out of range or
		 * without effect
		 */
		public Limit build() {
			return new Limit(new Builder(this));
		}

	}

}
