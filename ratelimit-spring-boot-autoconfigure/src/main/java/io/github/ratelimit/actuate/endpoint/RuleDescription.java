package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Ban;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleProvenance;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Description of a rule in force and of the source of each value.
 */
final class RuleDescription {

	private final RateLimitRule rule;

	private final RuleProvenance sources;

	private final @Nullable String plan;

	/**
	 * Create a new description.
	 * @param rule the rule, with the current {@code max}
	 * @param sources the sources of its values
	 * @param plan the plan that gives its numbers, {@code null} for none
	 */
	RuleDescription(RateLimitRule rule, RuleProvenance sources, @Nullable String plan) {
		this.rule = rule;
		this.sources = sources;
		this.plan = plan;
	}

	Map<String, Object> describe(String onStoreFailure, KeyExpressions expressions) {
		Values values = new Values(this.sources::of);
		values.put("mode", EndpointFormat.mode(this.rule.mode()));
		values.put("on-store-failure", onStoreFailure);
		if (!this.rule.maxWait().isZero()) {
			values.put("max-wait", this.rule.maxWait());
		}
		values.putIfPresent("prefetch", this.rule.prefetch());
		if (this.rule.ban() != null) {
			values.put("ban", describe(this.rule.ban()));
		}
		if (this.rule.key() != null) {
			values.put("key", this.rule.key());
		}
		values.putIfPresent("plan", this.rule.plan());
		values.putIfPresent("priority", this.rule.priority());
		if (!this.rule.headroom().isEmpty()) {
			values.put("headroom", PriorityDescription.describe(this.rule));
		}
		values.putIfPresent("unless", this.rule.unless());
		values.putIfPresent("settle", this.rule.settle());
		putLists(values);
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("name", this.rule.name());
		described.putAll(values.values);
		putIfAny(described, "keys", expressions.of(this.rule.name()));
		putIfAny(described, "ends", expressions.ends(this.rule.name()));
		described.put("limits", IntStream.range(0, this.rule.limits().size()).mapToObj(this::limit).toList());
		if (!this.rule.plans().isEmpty()) {
			described.put("plans", PlanDescription.describe(this.rule));
			values.sources.put("plans", this.sources.of("plans"));
		}
		if (!this.rule.schedule().isEmpty()) {
			described.put("schedule", PlanDescription.schedule(this.rule));
			values.sources.put("schedule", this.sources.of("schedule"));
		}
		if (!this.rule.candidates().isEmpty()) {
			described.put("candidates", this.rule.candidates().keySet());
		}
		described.put("sources", values.sources);
		RuleProvenance.AtRunTime atRunTime = this.sources.atRunTime();
		if (atRunTime != null) {
			described.put("override", OverrideDescription.of(atRunTime.override(), atRunTime.ignoredBecause()));
		}
		return described;
	}

	private static void putIfAny(Map<String, Object> described, String name, Map<String, ?> byPlace) {
		if (!byPlace.isEmpty()) {
			described.put(name, byPlace);
		}
	}

	private void putLists(Values values) {
		if (!this.rule.lists().allow().isEmpty()) {
			values.put("allow", this.rule.lists().allow());
		}
		if (!this.rule.lists().deny().isEmpty()) {
			values.put("deny", this.rule.lists().deny());
		}
	}

	private Map<String, Object> limit(int index) {
		Limit limit = this.rule.limits().get(index);
		Values values = new Values((attribute) -> source(index, attribute));
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Object value = limit.get(attribute);
			if (attribute != LimitAttribute.NAME && !Boolean.FALSE.equals(value)) {
				values.putIfPresent(attribute.name(), value);
			}
		}
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("name", this.rule.nameOf(limit));
		described.putAll(values.values);
		described.put("sources", values.sources);
		return described;
	}

	/**
	 * Return the source of a value of a limit.
	 */
	String source(int index, String attribute) {
		Adaptive adaptive = this.rule.limits().get(index).adaptive();
		return (adaptive != null && attribute.equals("max"))
				? "the load \"" + adaptive.signal() + "\" of this instance, by "
						+ this.sources.of(this.rule, index, "adaptive")
				: this.sources.of(this.rule, index, attribute, this.plan);
	}

	private static Map<String, Object> describe(Ban ban) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("after", ban.after());
		described.put("within", DurationText.of(ban.within()));
		described.put("lasting", DurationText.of(ban.lasting()));
		described.put("growingTo", DurationText.of(ban.growingTo()));
		return described;
	}

	/**
	 * Describe the value of an attribute.
	 */
	static Object text(Object value) {
		if (value instanceof Enum<?> constant) {
			return KebabCase.of(constant);
		}
		if (value instanceof Adaptive adaptive) {
			return describe(adaptive);
		}
		return (value instanceof Duration duration) ? DurationText.of(duration) : value;
	}

	private static Map<String, Object> describe(Adaptive adaptive) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("signal", adaptive.signal());
		described.put("low", describe(adaptive.low()));
		described.put("high", describe(adaptive.high()));
		return described;
	}

	private static Map<String, Object> describe(Adaptive.Point point) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("at", point.at());
		described.put("max", point.max());
		return described;
	}

	/**
	 * Values and their sources, by the same names.
	 */
	private static final class Values {

		private final Map<String, Object> values = new LinkedHashMap<>();

		private final Map<String, String> sources = new LinkedHashMap<>();

		private final UnaryOperator<String> source;

		private Values(UnaryOperator<String> source) {
			this.source = source;
		}

		private void put(String attribute, Object value) {
			String name = KebabCase.toCamelCase(attribute);
			this.values.put(name, text(value));
			this.sources.put(name, this.source.apply(attribute));
		}

		private void putIfPresent(String attribute, @Nullable Object value) {
			if (value != null) {
				put(attribute, value);
			}
		}

	}

}
