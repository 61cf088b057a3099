package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;
import java.util.regex.Pattern;

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

	private static final Duration MAX_REFILL = MAX_PERIOD.multipliedBy(10);

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]+");

	private final @Nullable String name;

	private final long max;

	private final Duration period;

	private final @Nullable Long burst;

	private final Algorithm algorithm;

	private final Rate rate;

	private Limit(@Nullable String name, long max, Duration period, @Nullable Long burst, Algorithm algorithm) {
		this.name = checkName(name);
		this.max = checkUnits("max", max);
		this.period = checkPeriod(period);
		this.rate = Rate.of(max, micros(period));
		this.burst = burst;
		this.algorithm = algorithm;
		checkBurst();
		checkLogSize();
	}

	/**
	 * A limit counted by the default algorithm.
	 * @param max how many units, from 1 to {@link #MAX_UNITS}
	 * @param period in how much time, whole milliseconds from 1 ms to {@link #MAX_PERIOD}
	 * @return the limit
	 * @throws InvalidAttributeException if a value is out of range
	 */
	public static Limit of(long max, Duration period) {
		return new Limit(null, max, period, null, Algorithm.DEFAULT);
	}

	/**
	 * Name this limit among the several of its rule.
	 * @param newName lower case letters, digits and hyphens
	 * @return a changed copy
	 */
	public Limit withName(String newName) {
		return new Limit(newName, this.max, this.period, this.burst, this.algorithm);
	}

	/**
	 * Change how calls are counted.
	 * @param newAlgorithm the algorithm
	 * @return a changed copy
	 */
	public Limit withAlgorithm(Algorithm newAlgorithm) {
		return new Limit(this.name, this.max, this.period, this.burst, newAlgorithm);
	}

	/**
	 * Change how many units pass at once, for {@link Algorithm#TOKEN_BUCKET}.
	 * @param newBurst the capacity of the bucket, from 1 to {@link #MAX_UNITS}
	 * @return a changed copy
	 */
	public Limit withBurst(long newBurst) {
		return new Limit(this.name, this.max, this.period, newBurst, this.algorithm);
	}

	/**
	 * The name among several limits of a rule.
	 * @return the name, or {@code null} for the only limit of a rule
	 */
	public @Nullable String name() {
		return this.name;
	}

	/**
	 * How many units are admitted per period.
	 * @return the number of units
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
		return micros(this.period);
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
	 * @return the burst of a bucket, else {@link #max()}
	 */
	public long capacity() {
		return (this.burst != null) ? this.burst : this.max;
	}

	/**
	 * The exact rate of {@link #max()} per {@link #period()}.
	 * @return the rate
	 */
	public Rate rate() {
		return this.rate;
	}

	boolean hasBurst() {
		return this.burst != null;
	}

	private static @Nullable String checkName(@Nullable String name) {
		if (name != null && !NAME.matcher(name).matches()) {
			throw new InvalidAttributeException("name", '"' + name + '"',
					"the name of a limit becomes part of keys and headers.",
					"Use lower case letters, digits and hyphens, \"minute\" for example.");
		}
		return name;
	}

	private static long checkUnits(String attribute, long units) {
		if (units < 1 || units > MAX_UNITS) {
			throw new InvalidAttributeException(attribute, units, "it has to be between 1 and " + MAX_UNITS + ".",
					"Write how many units may pass, " + attribute + ": 5 for example.");
		}
		return units;
	}

	private static Duration checkPeriod(Duration period) {
		if (period.compareTo(Duration.ofMillis(1)) < 0 || period.compareTo(MAX_PERIOD) > 0) {
			throw new InvalidAttributeException("period", period, "it has to be between 1 ms and 366 days.",
					"Write a duration, period: 60s for example; a number alone means seconds.");
		}
		if (period.getNano() % 1_000_000 != 0) {
			throw new InvalidAttributeException("period", period, "it has to be a whole number of milliseconds.",
					"Round it, period: 100ms for example.");
		}
		return period;
	}

	private void checkBurst() {
		if (this.burst == null) {
			return;
		}
		if (this.algorithm != Algorithm.DEFAULT && this.algorithm != Algorithm.TOKEN_BUCKET) {
			throw new InvalidAttributeException("burst", this.burst,
					"it has no effect with the algorithm " + this.algorithm.yamlName() + ", which admits max at once.",
					"Remove it, or set the algorithm to token-bucket.");
		}
		checkUnits("burst", this.burst);
		long periodsToRefill = this.burst / this.max;
		if (periodsToRefill > MAX_REFILL.dividedBy(this.period)) {
			throw new InvalidAttributeException(
					"burst", this.burst, "at " + this.max + " per " + DurationText.of(this.period)
							+ " an empty bucket takes more than " + MAX_REFILL.toDays() + " days to refill.",
					"Write a smaller burst or a higher rate.");
		}
	}

	private void checkLogSize() {
		if (this.algorithm == Algorithm.SLIDING_LOG && this.max > MAX_LOG_ENTRIES) {
			throw new InvalidAttributeException("max", this.max,
					"the algorithm sliding-log keeps one entry per admitted unit, so max is at most " + MAX_LOG_ENTRIES
							+ ".",
					"Set the algorithm to token-bucket, which keeps two numbers whatever max is, or lower max.");
		}
	}

	private static long micros(Duration period) {
		return period.toMillis() * 1000;
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Limit that && Objects.equals(this.name, that.name) && this.max == that.max
				&& this.period.equals(that.period) && Objects.equals(this.burst, that.burst)
				&& this.algorithm == that.algorithm;
	}

	@Override
	public int hashCode() {
		return Objects.hash(this.name, this.max, this.period, this.burst, this.algorithm);
	}

	@Override
	public String toString() {
		return this.algorithm.yamlName() + ' ' + this.max + " per " + DurationText.of(this.period)
				+ ((this.burst != null) ? " with a burst of " + this.burst : "");
	}

}
