package io.github.ratelimit.attribute;

import java.time.Duration;
import java.util.function.BiConsumer;

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
	public static final LimitAttribute<String> NAME = new LimitAttribute<>("name", Limit.Builder::name);

	/**
	 * The number of units that are admitted per period.
	 */
	public static final LimitAttribute<Long> MAX = new LimitAttribute<>("max", Limit.Builder::max);

	/**
	 * The time in which they are admitted.
	 */
	public static final LimitAttribute<Duration> PERIOD = new LimitAttribute<>("period", Limit.Builder::period);

	/**
	 * The calendar in whose windows they are admitted, instead of a period.
	 */
	public static final LimitAttribute<CalendarUnit> CALENDAR = new LimitAttribute<>("calendar",
			Limit.Builder::calendar);

	/**
	 * The time zone of the calendar: its name, or an expression.
	 */
	public static final LimitAttribute<String> ZONE = new LimitAttribute<String>("zone", Limit.Builder::zone);

	/**
	 * The day on which months and years of the calendar begin.
	 */
	public static final LimitAttribute<Integer> FIRST_DAY = new LimitAttribute<>("first-day", Limit.Builder::firstDay);

	/**
	 * The algorithm that counts calls.
	 */
	public static final LimitAttribute<Algorithm> ALGORITHM = new LimitAttribute<>("algorithm",
			Limit.Builder::algorithm);

	/**
	 * The capacity of a bucket.
	 */
	public static final LimitAttribute<Long> BURST = new LimitAttribute<>("burst", Limit.Builder::burst);

	/**
	 * The number of sub-windows of a period.
	 */
	public static final LimitAttribute<Integer> SEGMENTS = new LimitAttribute<>("segments", Limit.Builder::segments);

	/**
	 * The start of windows.
	 */
	public static final LimitAttribute<Align> ALIGN = new LimitAttribute<>("align", Limit.Builder::align);

	/**
	 * The time from cold to warm.
	 */
	public static final LimitAttribute<Duration> WARM_UP_PERIOD = new LimitAttribute<>("warm-up-period",
			Limit.Builder::warmUpPeriod);

	/**
	 * The factor by which a cold limit is slower.
	 */
	public static final LimitAttribute<Integer> COLD_FACTOR = new LimitAttribute<>("cold-factor",
			Limit.Builder::coldFactor);

	/**
	 * The shortest time between two admitted calls.
	 */
	public static final LimitAttribute<Duration> MIN_INTERVAL = new LimitAttribute<>("min-interval",
			Limit.Builder::minInterval);

	/**
	 * Effect of denied calls: {@code true} if they count too.
	 */
	public static final LimitAttribute<Boolean> COUNT_DENIED = new LimitAttribute<>("count-denied",
			Limit.Builder::countDenied);

	/**
	 * The function by which {@code max} follows the load.
	 */
	public static final LimitAttribute<Adaptive> ADAPTIVE = new LimitAttribute<>("adaptive", Limit.Builder::adaptive);

	/**
	 * The time after which the slots of an instance that died are free.
	 */
	public static final LimitAttribute<Duration> LEASE = new LimitAttribute<>("lease", Limit.Builder::lease);

	private final String name;

	private final BiConsumer<Limit.Builder, T> setter;

	private LimitAttribute(String name, BiConsumer<Limit.Builder, T> setter) {
		this.name = name;
		this.setter = setter;
	}

	/**
	 * Return the name in configuration files and messages.
	 * @return the name in kebab case
	 */
	public String name() {
		return this.name;
	}

	void set(Limit.Builder limit, T value) {
		this.setter.accept(limit, value);
	}

	@Override
	public String toString() {
		return this.name;
	}

}
