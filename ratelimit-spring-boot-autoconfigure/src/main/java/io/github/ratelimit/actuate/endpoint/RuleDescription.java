package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Headroom;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RuleAttribute;
import io.github.ratelimit.engine.RuleProvenance;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/** Description of a rule in force and of the source of each value. */
record RuleDescription(RateLimitRule rule, RuleProvenance sources, @Nullable String plan) {

	private static final Set<RuleAttribute<?>> DESCRIBED_APART = Set.of(RuleAttribute.PLANS, RuleAttribute.SCHEDULE,
			RuleAttribute.CANDIDATES);

	Map<String, Object> describe(String onStoreFailure, KeyExpressions expressions) {
		Values values = new Values(this.sources::of);
		for (RuleAttribute<?> attribute : RuleAttribute.all()) {
			if (!DESCRIBED_APART.contains(attribute)) {
				values.put(attribute.name(), (attribute == RuleAttribute.MODE) ? EndpointFormat.mode(this.rule.mode())
						: (attribute == RuleAttribute.ON_STORE_FAILURE) ? onStoreFailure : this.rule.get(attribute));
			}
			else if (attribute != RuleAttribute.CANDIDATES && this.rule.get(attribute) != null) {
				values.sources.put(attribute.name(), this.sources.of(attribute.name()));
			}
		}
		KeyExpressions.Headers headers = expressions.headers(this.rule.name());
		if (headers != null) {
			values.values.put("headers", headers.formats());
			values.sources.put("headers", headers.source());
		}
		RuleProvenance.AtRunTime atRunTime = this.sources.atRunTime();
		return Fields.of("name", this.rule.name())
			.withAll(values.values)
			.withAny("keys", keys(expressions))
			.withAny("selections", expressions.selections(this.rule.name()))
			.withAny("ends", expressions.ends(this.rule.name()))
			.with("limits", IntStream.range(0, this.rule.limits().size()).mapToObj(this::limit).toList())
			.withAny("plans", PlanDescription.describe(this.rule))
			.with("schedule", this.rule.schedule().isEmpty() ? null : PlanDescription.schedule(this.rule))
			.with("candidates", this.rule.candidates().isEmpty() ? null : this.rule.candidates().keySet())
			.with("sources", values.sources)
			.with("override",
					(atRunTime != null) ? OverrideDescription.of(atRunTime.override(), atRunTime.ignoredBecause())
							: null)
			.toMap();
	}

	/**
	 * Return the key expressions by the place that uses them. A place without one has
	 * that of the rule.
	 */
	private Map<String, String> keys(KeyExpressions expressions) {
		Map<String, String> keys = new LinkedHashMap<>(expressions.of(this.rule.name()));
		keys.replaceAll((place, key) -> (key.isEmpty() && this.rule.key() != null) ? this.rule.key() : key);
		return keys;
	}

	private Map<String, Object> limit(int index) {
		Limit limit = this.rule.limits().get(index);
		Values values = new Values((attribute) -> source(index, attribute));
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Object value = limit.get(attribute);
			if (attribute != LimitAttribute.NAME && !Boolean.FALSE.equals(value)) {
				values.put(attribute.name(), value);
			}
		}
		return Fields.of("name", this.rule.nameOf(limit))
			.withAll(values.values)
			.with("sources", values.sources)
			.toMap();
	}

	private String source(int index, String attribute) {
		Adaptive adaptive = this.rule.limits().get(index).adaptive();
		return (adaptive != null && attribute.equals("max"))
				? "the load \"" + adaptive.signal() + "\" of this instance, by "
						+ this.sources.of(this.rule, index, "adaptive")
				: this.sources.of(this.rule, index, attribute, this.plan);
	}

	List<String> explain(List<Limit> limits, String key, @Nullable KeyOverride override) {
		return IntStream.range(0, limits.size())
			.mapToObj((index) -> explain(index, limits.get(index), key, override))
			.toList();
	}

	private String explain(int index, Limit limit, String key, @Nullable KeyOverride override) {
		String source = isOverridden(limit, override) ? explainOverride(key) : source(index, "max") + ", ";
		return "For \"" + this.rule.nameOf(limit) + "\", max = " + limit.max() + " comes from " + source
				+ explainWindow(index, limit) + ", algorithm = " + limit.algorithm().yamlName() + " from "
				+ source(index, "algorithm") + '.';
	}

	/**
	 * Return whether the override of the key determines {@code max}. One that does not
	 * fit the limit is ignored.
	 */
	private boolean isOverridden(Limit limit, @Nullable KeyOverride override) {
		if (override == null) {
			return false;
		}
		String name = (this.rule.limits().size() == 1) ? "" : limit.name();
		Long max = override.maxima().get((name != null) ? name : "");
		return max != null && max == limit.max();
	}

	private String explainOverride(String key) {
		return "the override of " + (key.isEmpty() ? "the only counter" : "key \"" + key + '"')
				+ (this.rule.plans().isEmpty() ? ", " : "; plans do not apply to it. The limit has ");
	}

	private String explainWindow(int index, Limit limit) {
		if (limit.period().isZero()) {
			return "lease = " + DurationText.of(limit.lease()) + " from " + source(index, "lease");
		}
		return (limit.calendar() != null) ? "calendar = " + limit.calendar() + " from " + source(index, "calendar")
				: "period = " + DurationText.of(limit.period()) + " from " + source(index, "period");
	}

	static Object text(Object value) {
		if (value instanceof Enum<?> constant) {
			return KebabCase.of(constant);
		}
		if (value instanceof Adaptive adaptive) {
			return Fields.of("signal", adaptive.signal())
				.with("low", text(adaptive.low()))
				.with("high", text(adaptive.high()))
				.toMap();
		}
		if (value instanceof Adaptive.Point point) {
			return Fields.of("at", point.at()).with("max", point.max()).toMap();
		}
		if (value instanceof Ban ban) {
			return Fields.of("after", ban.after())
				.with("within", text(ban.within()))
				.with("lasting", text(ban.lasting()))
				.with("growingTo", text(ban.growingTo()))
				.toMap();
		}
		if (value instanceof Map<?, ?> byName) {
			Map<String, Object> described = new LinkedHashMap<>();
			byName.forEach((name, each) -> described.put(String.valueOf(name), text(each)));
			return described;
		}
		return (value instanceof Duration duration) ? DurationText.of(duration)
				: (value instanceof Headroom) ? value.toString() : value;
	}

	private record Values(Map<String, Object> values, Map<String, String> sources, UnaryOperator<String> source) {

		Values(UnaryOperator<String> source) {
			this(new LinkedHashMap<>(), new LinkedHashMap<>(), source);
		}

		private void put(String attribute, @Nullable Object value) {
			if (value != null) {
				String name = KebabCase.toCamelCase(attribute);
				this.values.put(name, text(value));
				this.sources.put(name, this.source.apply(attribute));
			}
		}

	}

}
