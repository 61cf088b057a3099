package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RuleSources;
import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Description of a rule in force and of the source of each value.
 */
final class RuleDescription {

	private final RateLimitRule rule;

	private final RuleSources sources;

	/**
	 * Create a new description.
	 * @param rule the rule, with the current {@code max}
	 * @param sources the sources of its values
	 */
	RuleDescription(RateLimitRule rule, RuleSources sources) {
		this.rule = rule;
		this.sources = sources;
	}

	Map<String, Object> describe(String onStoreFailure, Map<String, String> keys) {
		Values values = new Values(this.sources::of);
		values.put("mode", EndpointFormat.mode(this.rule.mode()));
		values.put("on-store-failure", onStoreFailure);
		if (!this.rule.maxWait().isZero()) {
			values.put("max-wait", this.rule.maxWait());
		}
		values.putIfPresent("prefetch", this.rule.prefetch());
		if (this.rule.key() != null) {
			values.put("key", this.rule.key());
		}
		putLists(values);
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("name", this.rule.name());
		described.putAll(values.values);
		if (!keys.isEmpty()) {
			described.put("keys", keys);
		}
		described.put("limits", IntStream.range(0, this.rule.limits().size()).mapToObj(this::limit).toList());
		described.put("sources", values.sources);
		RuleSources.AtRunTime atRunTime = this.sources.atRunTime();
		if (atRunTime != null) {
			described.put("override", OverrideDescription.of(atRunTime.override(), atRunTime.ignoredBecause()));
		}
		return described;
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
		values.put("algorithm", limit.algorithm().yamlName());
		values.put("max", limit.max());
		values.put("period", limit.period());
		switch (limit.algorithm()) {
			case TOKEN_BUCKET, LEAKY_BUCKET -> values.put("burst", limit.capacity());
			case SLIDING_WINDOW -> values.put("segments", limit.segments());
			case FIXED_WINDOW -> values.put("align", KebabCase.of(limit.align()));
			case WARM_UP -> {
				values.put("warm-up-period", limit.warmUpPeriod());
				values.put("cold-factor", limit.coldFactor());
			}
			default -> {
			}
		}
		values.putIfPresent("min-interval", limit.minInterval());
		if (limit.countDenied()) {
			values.put("count-denied", true);
		}
		if (limit.adaptive() != null) {
			values.put("adaptive", describe(limit.adaptive()));
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
		return (adaptive != null && attribute.equals("max")) ? "the load \"" + adaptive.signal()
				+ "\" of this instance, by " + this.sources.of(this.rule, index, "adaptive")
				: this.sources.of(this.rule, index, attribute);
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
			this.values.put(name, (value instanceof Duration duration) ? DurationText.of(duration) : value);
			this.sources.put(name, this.source.apply(attribute));
		}

		private void putIfPresent(String attribute, @Nullable Object value) {
			if (value != null) {
				put(attribute, value);
			}
		}

	}

	/**
	 * Explain the sources of the numbers of the limits in sentences.
	 */
	List<String> explainSources() {
		return IntStream.range(0, this.rule.limits().size()).mapToObj((i) -> {
			Limit limit = this.rule.limits().get(i);
			return "Of \"" + this.rule.nameOf(limit) + "\", max = " + limit.max() + " comes from " + source(i, "max")
					+ ", period = " + DurationText.of(limit.period()) + " from " + source(i, "period")
					+ ", algorithm = " + limit.algorithm().yamlName() + " from " + source(i, "algorithm") + '.';
		}).toList();
	}

}
