package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;

import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Attribute of a {@link Limit}: a row of the table of all of them, with its default, its
 * range and the algorithms that use it. The documentation of each row is its description
 * for people.
 *
 * @param <T> the type of its values
 * @since 0.1.0
 */
public final class LimitAttribute<T> {

	private static final List<LimitAttribute<?>> ROWS = new ArrayList<>();

	/** Counting algorithm. */
	public static final LimitAttribute<Algorithm> ALGORITHM = new LimitAttribute<>("algorithm", null);

	/**
	 * Maximum number of units admitted per period, or held at once with algorithm
	 * concurrency, from 1 to 1000000000.
	 */
	public static final LimitAttribute<Long> MAX = units("max", "5");

	/**
	 * Period in which up to max units are admitted, from 1ms to 366d; none with algorithm
	 * concurrency. If a duration suffix is not specified, seconds will be used.
	 */
	public static final LimitAttribute<Duration> PERIOD = duration("period", "60s", null, Limit.MAX_PERIOD);

	/**
	 * Calendar in whose windows up to max units are admitted, instead of a period, with
	 * algorithm fixed-window.
	 */
	public static final LimitAttribute<CalendarUnit> CALENDAR = new LimitAttribute<>("calendar", null);

	/**
	 * Time zone of the calendar, or a SpEL expression that selects that of a call. By
	 * default UTC.
	 */
	public static final LimitAttribute<String> ZONE = new LimitAttribute<>("zone", "UTC");

	/**
	 * Day on which the months of the calendar begin, and its years in January, from 1 to
	 * 28. By default 1.
	 */
	public static final LimitAttribute<Integer> FIRST_DAY = new LimitAttribute<>("first-day", "15", 1, 1, 28,
			"1 and 28, a day that every month has.", "Write the day on which a month begins, `%s: 15` for example.");

	/**
	 * Maximum number of units admitted at once, from 1 to 1000000000: the capacity of a
	 * token-bucket, by default max, or of a leaky-bucket, by default 1.
	 */
	public static final LimitAttribute<Long> BURST = units("burst", "10", Algorithm.TOKEN_BUCKET,
			Algorithm.LEAKY_BUCKET);

	/**
	 * Number of segments per period of a sliding-window, from 2 to 100. By default 10.
	 */
	public static final LimitAttribute<Integer> SEGMENTS = new LimitAttribute<>("segments", "10", 10, 2,
			Limit.MAX_SEGMENTS, "2 and " + Limit.MAX_SEGMENTS + '.',
			"Write into how many parts the period is cut, `%s: 10` for example.", Algorithm.SLIDING_WINDOW);

	/** Start of the windows of a fixed-window. By default clock. */
	public static final LimitAttribute<Align> ALIGN = new LimitAttribute<>("align", Align.CLOCK,
			Algorithm.FIXED_WINDOW);

	/**
	 * Duration of a warm-up from cold to warm, up to 30d. By default 10s, or the period
	 * if that is longer. If a duration suffix is not specified, seconds will be used.
	 */
	public static final LimitAttribute<Duration> WARM_UP_PERIOD = duration("warm-up-period", "60s",
			Duration.ofSeconds(10), Limit.MAX_WARM_UP_PERIOD, Algorithm.WARM_UP);

	/**
	 * Factor by which a cold warm-up limit is slower than a warm one, from 2 to 10. By
	 * default 3.
	 */
	public static final LimitAttribute<Integer> COLD_FACTOR = new LimitAttribute<>("cold-factor", "3", 3, 2,
			Limit.MAX_COLD_FACTOR, "2 and " + Limit.MAX_COLD_FACTOR + '.',
			"Write how many times slower it begins, `%s: 3` for example.", Algorithm.WARM_UP);

	/**
	 * Time after which the slots of an instance that died are free, for concurrency, from
	 * 1s to 1h. By default 30s. If a duration suffix is not specified, seconds will be
	 * used.
	 */
	public static final LimitAttribute<Duration> LEASE = new LimitAttribute<>("lease", "30s", Duration.ofSeconds(30),
			Limit.MIN_LEASE, Limit.MAX_LEASE, "1 s and 1 h.",
			"Write how long the slots of an instance that died stay taken, `%s: 30s` for example; calls may "
					+ "take longer.",
			Algorithm.CONCURRENCY);

	/**
	 * Minimum time between two admitted calls of a key, from 1ms to 366d. By default
	 * none. If a duration suffix is not specified, seconds will be used.
	 */
	public static final LimitAttribute<Duration> MIN_INTERVAL = duration("min-interval", "200ms", null,
			Limit.MAX_PERIOD);

	/**
	 * Whether denied calls are counted too, for sliding-log and fixed-window. By default
	 * false.
	 */
	public static final LimitAttribute<Boolean> COUNT_DENIED = new LimitAttribute<>("count-denied", null,
			Algorithm.SLIDING_LOG, Algorithm.FIXED_WINDOW);

	/** Adaptation of max to the load of this instance. By default none. */
	public static final LimitAttribute<Adaptive> ADAPTIVE = new LimitAttribute<>("adaptive", null);

	/** Name of the limit within its rule. */
	public static final LimitAttribute<String> NAME = new LimitAttribute<>("name", null);

	private static final List<LimitAttribute<?>> ALL = Collections.unmodifiableList(ROWS);

	/** Attributes of a calendar. */
	public static final List<LimitAttribute<?>> OF_CALENDARS = List.of(CALENDAR, ZONE, FIRST_DAY);

	/** Attributes that a plan may change. */
	public static final List<LimitAttribute<?>> NUMBERS = List.of(MAX, PERIOD, BURST);

	private final int index;

	private final String name;

	private final @Nullable String example;

	private final @Nullable T byDefault;

	private final @Nullable Comparable<T> least;

	private final @Nullable Comparable<T> most;

	private final String range;

	private final String advice;

	private final List<Algorithm> algorithms;

	private LimitAttribute(String name, @Nullable T byDefault, Algorithm... algorithms) {
		this(name, null, byDefault, null, null, "", "", algorithms);
	}

	private LimitAttribute(String name, @Nullable String example, @Nullable T byDefault, @Nullable Comparable<T> least,
			@Nullable Comparable<T> most, String range, String advice, Algorithm... algorithms) {
		this.index = ROWS.size();
		this.name = name;
		this.example = example;
		this.byDefault = byDefault;
		this.least = least;
		this.most = most;
		this.range = range;
		this.advice = advice;
		this.algorithms = List.of(algorithms);
		ROWS.add(this);
	}

	private static LimitAttribute<Long> units(String name, String example, Algorithm... algorithms) {
		return new LimitAttribute<>(name, example, null, 1L, Limit.MAX_UNITS, "1 and " + Limit.MAX_UNITS + '.',
				"Write how many units may pass, `%s: 5` for example.", algorithms);
	}

	private static LimitAttribute<Duration> duration(String name, String example, @Nullable Duration byDefault,
			Duration longest, Algorithm... algorithms) {
		return new LimitAttribute<>(name, example, byDefault, Duration.ofMillis(1), longest,
				"1 ms and " + longest.toDays() + " days.",
				"Write a duration, `%s: 60s` for example; a number without a unit means seconds.", algorithms);
	}

	/**
	 * {@return all attributes, in the order in which limits are described}
	 */
	public static List<LimitAttribute<?>> all() {
		return ALL;
	}

	/**
	 * {@return the name in configuration files and messages, in kebab case}
	 */
	public String name() {
		return this.name;
	}

	/**
	 * {@return a usual number or duration for messages, {@code null} for other types}
	 */
	public @Nullable String example() {
		return this.example;
	}

	int index() {
		return this.index;
	}

	@Nullable T byDefault() {
		return this.byDefault;
	}

	/** Return the algorithms that alone use it, none if all do. */
	List<Algorithm> algorithms() {
		return this.algorithms;
	}

	/** Refuse a value that the algorithm of a limit does not use. */
	void checkEffect(Limit limit) {
		T value = limit.written(this);
		Algorithm algorithm = limit.algorithm();
		if (this == ALIGN && value != null && limit.calendar() != null) {
			throw new InvalidAttributeException(this.name, text(value),
					"the windows of a limit with a calendar begin by the calendar.", "Remove it.");
		}
		boolean isSet = value != null && !value.equals(false) && !this.algorithms.isEmpty();
		if (isSet && algorithm != Algorithm.DEFAULT && !this.algorithms.contains(algorithm)) {
			throw new InvalidAttributeException(
					this.name, text(value), "it has no effect with the algorithm " + algorithm.yamlName()
							+ ", only with " + algorithms(" and ") + '.',
					"Remove it, or write `algorithm: " + algorithms("` or `algorithm: ") + "`.");
		}
	}

	static Object text(Object value) {
		return (value instanceof Enum<?> constant) ? KebabCase.of(constant) : value;
	}

	private String algorithms(String separator) {
		return this.algorithms.stream().map(Algorithm::yamlName).collect(Collectors.joining(separator));
	}

	void check(Limit limit) {
		check(this.name, limit.written(this));
	}

	/**
	 * Refuse a value out of range.
	 * @param attribute the name of the value, which may be that of another attribute
	 */
	void check(String attribute, @Nullable T value) {
		if (value == null || this.least == null || this.most == null) {
			return;
		}
		if (this.least.compareTo(value) > 0 || this.most.compareTo(value) < 0) {
			throw new InvalidAttributeException(attribute, value, "it has to be between " + this.range,
					this.advice.formatted(attribute));
		}
		if (value instanceof Duration duration && duration.getNano() % 1_000_000 != 0) {
			throw new InvalidAttributeException(attribute, value, "it has to be a whole number of milliseconds.",
					"Round it, `" + attribute + ": 100ms` for example.");
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
