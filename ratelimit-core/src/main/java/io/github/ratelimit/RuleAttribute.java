package io.github.ratelimit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Attribute of a {@link RateLimitRule} beside its limits: a row of the table of all of
 * them, with its default and what is wrong with a value. The documentation of each row is
 * its description for people.
 *
 * @param <T> the type of its values
 * @since 0.1.0
 */
public final class RuleAttribute<T> {

	private static final List<RuleAttribute<?>> ROWS = new ArrayList<>();

	/**
	 * Effect of decisions: enforce, shadow to count and report but never deny, or off. By
	 * default ratelimit.defaults.mode.
	 */
	public static final RuleAttribute<Mode> MODE = new RuleAttribute<>("mode", null);

	/**
	 * Policy for calls while the store is unavailable. By default
	 * ratelimit.defaults.on-store-failure.
	 */
	public static final RuleAttribute<OnStoreFailure> ON_STORE_FAILURE = new RuleAttribute<>("on-store-failure", null);

	/**
	 * Maximum time a call waits instead of being denied, up to 366d. By default calls do
	 * not wait. If a duration suffix is not specified, seconds will be used.
	 */
	public static final RuleAttribute<Duration> MAX_WAIT = new RuleAttribute<>("max-wait", Duration.ZERO,
			"it has to be between 0 and 366 days.", "Write how long a call may wait, `max-wait: 2s` for example.",
			Duration.ZERO, Limit.MAX_PERIOD);

	/**
	 * Time an instance may hold units fetched from Redis ahead of its calls, from 1ms to
	 * 1s. By default every call goes to Redis. If a duration suffix is not specified,
	 * seconds will be used.
	 */
	public static final RuleAttribute<Duration> PREFETCH = new RuleAttribute<>("prefetch", null,
			"it has to be between 1 ms and 1 s.",
			"Write how long an instance may hold units, `prefetch: 20ms` for example; a number without a unit means "
					+ "seconds.",
			Duration.ofMillis(1), Duration.ofSeconds(1));

	/** Ban of keys that are denied again and again. By default none. */
	public static final RuleAttribute<Ban> BAN = new RuleAttribute<>("ban", null);

	/**
	 * SpEL expression for the key of a call; each key is counted separately. Overrides
	 * the key of the annotation.
	 */
	public static final RuleAttribute<String> KEY = new RuleAttribute<>("key", null);

	/**
	 * SpEL expression for the plan of a call: the name of one of the plans, a Limit, or
	 * null for the numbers of the rule. Overrides the plan of the annotation.
	 */
	public static final RuleAttribute<String> PLAN = new RuleAttribute<>("plan", null,
			"it is empty, so no call has a plan.",
			"In YAML quote what begins with # or @, `plan: \"@plans.of(#tenant)\"` for example; or remove it.");

	/**
	 * SpEL expression for the class of a call: one of those in headroom, or high, which
	 * leaves nothing free; null and other names mean other. Overrides the priority of the
	 * annotation.
	 */
	public static final RuleAttribute<String> PRIORITY = expression("priority", "header('X-Priority')");

	/**
	 * Part of the capacity that calls of a class leave free, a share such as 30% or a
	 * number of units, by the name of the class. By default none.
	 */
	public static final RuleAttribute<Map<String, Headroom>> HEADROOM = byName("headroom", "a class of calls", "low");

	/**
	 * SpEL expression over the outcome of a call, evaluated when it ends; if true, its
	 * units are refunded. Overrides unless of the annotation.
	 */
	public static final RuleAttribute<String> UNLESS = expression("unless", "#error == null");

	/**
	 * SpEL expression for the number of units that a call has used, evaluated when it
	 * ends; the cost is then an estimate. Overrides settle of the annotation.
	 */
	public static final RuleAttribute<String> SETTLE = expression("settle", "#result.tokens");

	/**
	 * Keys that always pass and are not counted. A network such as 10.0.0.0/8 stands for
	 * all keys that are an address in it.
	 */
	public static final RuleAttribute<List<String>> ALLOW = new RuleAttribute<>("allow", List.of());

	/**
	 * Keys that never pass, even if they are in allow. A network such as 10.0.0.0/8
	 * stands for all keys that are an address in it.
	 */
	public static final RuleAttribute<List<String>> DENY = new RuleAttribute<>("deny", List.of());

	/** Other numbers for some callers, by the name of the plan. */
	public static final RuleAttribute<Map<String, List<Limit>>> PLANS = byName("plans", "a plan", "pro");

	/** Plans of calls that select none, by the time of day: the first one that holds. */
	public static final RuleAttribute<List<ScheduledPlan>> SCHEDULE = new RuleAttribute<>("schedule", List.of());

	/**
	 * Limits that are tried beside that of the rule and deny nothing, by the name of the
	 * candidate; at most four.
	 */
	public static final RuleAttribute<Map<String, List<Limit>>> CANDIDATES = byName("candidates", "a candidate",
			"tight");

	private static final List<RuleAttribute<?>> ALL = List.copyOf(ROWS);

	/** Whether annotations have expressions of plans. */
	static final RuleAttribute<Boolean> PLAN_OF_ANNOTATION = new RuleAttribute<>("plan", false);

	/**
	 * Whether the rule itself has the numbers of a plan, so that its plans stay as they
	 * are.
	 */
	static final RuleAttribute<Boolean> IS_UNDER_PLAN = new RuleAttribute<>("plans", false);

	/** Whether annotations or requests have expressions of refunds. */
	static final RuleAttribute<Boolean> UNLESS_OF_ANNOTATION = new RuleAttribute<>("unless", false);

	/** Expression of used units of an annotation. */
	static final RuleAttribute<String> SETTLE_OF_ANNOTATION = new RuleAttribute<>("settle", null);

	private final int index;

	private final String name;

	private final @Nullable T byDefault;

	private final String reason;

	private final String advice;

	private final Duration least;

	private final Duration most;

	private RuleAttribute(String name, @Nullable T byDefault) {
		this(name, byDefault, "", "");
	}

	private RuleAttribute(String name, @Nullable T byDefault, String reason, String advice) {
		this(name, byDefault, reason, advice, Duration.ZERO, Duration.ZERO);
	}

	private RuleAttribute(String name, @Nullable T byDefault, String reason, String advice, Duration least,
			Duration most) {
		this.index = ROWS.size();
		this.name = name;
		this.byDefault = byDefault;
		this.reason = reason;
		this.advice = advice;
		this.least = least;
		this.most = most;
		ROWS.add(this);
	}

	private static RuleAttribute<String> expression(String name, String example) {
		return new RuleAttribute<>(name, null, "it is empty.",
				"In YAML quote what begins with #, `" + name + ": \"" + example + "\"` for example; or remove it.");
	}

	private static <V> RuleAttribute<Map<String, V>> byName(String name, String one, String example) {
		return new RuleAttribute<>(name, Map.of(), "the name of " + one + " becomes part of metric tags.", example);
	}

	/**
	 * {@return all attributes, in the order in which rules are described}
	 */
	public static List<RuleAttribute<?>> all() {
		return ALL;
	}

	/**
	 * {@return the name in configuration files and messages, in kebab case}
	 */
	public String name() {
		return this.name;
	}

	static @Nullable Object[] noValues() {
		return new Object[ROWS.size()];
	}

	/** Return its value among those of a rule, {@code null} if it is not set. */
	@SuppressWarnings("unchecked")
	@Nullable T in(@Nullable Object[] values) {
		return (T) values[this.index];
	}

	/** Return its value among those of a rule, set or by default. */
	T orDefaultIn(@Nullable Object[] values) {
		T value = in(values);
		return (value != null) ? value : Objects.requireNonNull(this.byDefault);
	}

	/**
	 * Set it among the values of a rule.
	 * @throws InvalidAttributeException if the value is invalid in all rules
	 */
	void put(@Nullable Object[] values, @Nullable T value) {
		check(value);
		values[this.index] = (value == null || value.equals(this.byDefault)) ? null : copy(value);
	}

	private static Object copy(Object value) {
		if (value instanceof List<?> list) {
			return List.copyOf(list);
		}
		return (value instanceof Map<?, ?> byName) ? Collections.unmodifiableMap(new LinkedHashMap<>(byName)) : value;
	}

	private void check(@Nullable T value) {
		if (value instanceof Duration time && (time.compareTo(this.least) < 0 || time.compareTo(this.most) > 0)) {
			throw new InvalidAttributeException(this.name, time, this.reason, this.advice);
		}
		if (value instanceof String text && text.isBlank() && !this.reason.isEmpty()) {
			throw new InvalidAttributeException(this.name, '"' + text + '"', this.reason, this.advice);
		}
		if (value instanceof Map<?, ?> byName) {
			for (Object each : byName.keySet()) {
				checkName(this.name, String.valueOf(each), this.reason, this.advice);
			}
		}
	}

	/**
	 * Refuse a name.
	 * @param example a valid name, if there is no similar one
	 */
	static void checkName(String attribute, String name, String reason, String example) {
		if (!LimitChecks.NAME.matcher(name).matches()) {
			String kebabCase = KebabCase.of(name).replaceAll("^-|-$", "");
			throw new InvalidAttributeException(attribute, '"' + name + '"', reason,
					"Use 1 to 100 lower case letters, digits and hyphens, \""
							+ (LimitChecks.NAME.matcher(kebabCase).matches() ? kebabCase : example)
							+ "\" for example.");
		}
	}

	@Override
	public String toString() {
		return this.name;
	}

}
