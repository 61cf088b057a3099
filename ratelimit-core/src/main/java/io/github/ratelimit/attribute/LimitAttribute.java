package io.github.ratelimit.attribute;

import java.time.Duration;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;

/**
 * Attribute of a {@link Limit}.
 *
 * @param <T> the type of its values
 * @since 0.1.0
 */
public final class LimitAttribute<T> {

	/**
	 * The name among several limits of a rule.
	 */
	public static final LimitAttribute<String> NAME = new LimitAttribute<>("name");

	/**
	 * The number of units that are admitted per period.
	 */
	public static final LimitAttribute<Long> MAX = new LimitAttribute<>("max");

	/**
	 * The time in which they are admitted.
	 */
	public static final LimitAttribute<Duration> PERIOD = new LimitAttribute<>("period");

	/**
	 * The calendar in whose windows they are admitted, instead of a period.
	 */
	public static final LimitAttribute<CalendarUnit> CALENDAR = new LimitAttribute<>("calendar");

	/**
	 * The time zone of the calendar: its name, or an expression.
	 */
	public static final LimitAttribute<String> ZONE = new LimitAttribute<>("zone");

	/**
	 * The day on which months and years of the calendar begin.
	 */
	public static final LimitAttribute<Integer> FIRST_DAY = new LimitAttribute<>("first-day");

	/**
	 * The algorithm that counts calls.
	 */
	public static final LimitAttribute<Algorithm> ALGORITHM = new LimitAttribute<>("algorithm");

	/**
	 * The capacity of a bucket.
	 */
	public static final LimitAttribute<Long> BURST = new LimitAttribute<>("burst");

	/**
	 * The number of sub-windows of a period.
	 */
	public static final LimitAttribute<Integer> SEGMENTS = new LimitAttribute<>("segments");

	/**
	 * The start of windows.
	 */
	public static final LimitAttribute<Align> ALIGN = new LimitAttribute<>("align");

	/**
	 * The time from cold to warm.
	 */
	public static final LimitAttribute<Duration> WARM_UP_PERIOD = new LimitAttribute<>("warm-up-period");

	/**
	 * The factor by which a cold limit is slower.
	 */
	public static final LimitAttribute<Integer> COLD_FACTOR = new LimitAttribute<>("cold-factor");

	/**
	 * The shortest time between two admitted calls.
	 */
	public static final LimitAttribute<Duration> MIN_INTERVAL = new LimitAttribute<>("min-interval");

	/**
	 * Effect of denied calls: {@code true} if they count too.
	 */
	public static final LimitAttribute<Boolean> COUNT_DENIED = new LimitAttribute<>("count-denied");

	/**
	 * The function by which {@code max} follows the load.
	 */
	public static final LimitAttribute<Adaptive> ADAPTIVE = new LimitAttribute<>("adaptive");

	/**
	 * The time after which the slots of an instance that died are free.
	 */
	public static final LimitAttribute<Duration> LEASE = new LimitAttribute<>("lease");

	private final String name;

	private LimitAttribute(String name) {
		this.name = name;
	}

	/**
	 * Return the name in configuration files and messages.
	 * @return the name in kebab case
	 */
	public String name() {
		return this.name;
	}

	void set(Limit.Builder limit, T value) {
		switch (this.name) {
			case "name" -> limit.name((String) value);
			case "max" -> limit.max((Long) value);
			case "period" -> limit.period((Duration) value);
			case "calendar" -> limit.calendar((CalendarUnit) value);
			case "zone" -> limit.zone((String) value);
			case "first-day" -> limit.firstDay((Integer) value);
			case "algorithm" -> limit.algorithm((Algorithm) value);
			case "burst" -> limit.burst((Long) value);
			case "segments" -> limit.segments((Integer) value);
			case "align" -> limit.align((Align) value);
			case "warm-up-period" -> limit.warmUpPeriod((Duration) value);
			case "cold-factor" -> limit.coldFactor((Integer) value);
			case "min-interval" -> limit.minInterval((Duration) value);
			case "count-denied" -> limit.countDenied((Boolean) value);
			case "adaptive" -> limit.adaptive((Adaptive) value);
			case "lease" -> limit.lease((Duration) value);
			default -> throw new IllegalStateException("A limit has no attribute " + this.name);
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
