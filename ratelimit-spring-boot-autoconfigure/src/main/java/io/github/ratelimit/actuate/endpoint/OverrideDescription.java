package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/** Description of the overrides of a rule and of its keys. */
final class OverrideDescription {

	private OverrideDescription() {
	}

	static Map<String, Object> of(RuleOverride override, @Nullable String ignoredBecause) {
		Map<String, Object> limits = new LinkedHashMap<>();
		override.limits().forEach((name, attributes) -> limits.put(name, of(attributes)));
		limits.remove(RuleOverride.ONLY_LIMIT);
		return Fields.of("made", override.made().toString())
			.with("mode", (override.mode() != null) ? EndpointFormat.mode(override.mode()) : null)
			.withAll(of(override.limits().getOrDefault(RuleOverride.ONLY_LIMIT, LimitAttributes.NONE)))
			.withAny("limits", limits)
			.with("ignoredBecause", ignoredBecause)
			.toMap();
	}

	private static Map<String, Object> of(LimitAttributes attributes) {
		Fields described = new Fields();
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Object value = attributes.get(attribute);
			described.with(attribute.name(), (value instanceof Duration duration) ? DurationText.of(duration) : value);
		}
		return described.toMap();
	}

	static List<Map<String, Object>> of(Map<String, KeyOverride> overrides) {
		return overrides.entrySet()
			.stream()
			.sorted(Map.Entry.comparingByKey())
			.map((entry) -> Fields.of("key", entry.getKey()).withAll(of(entry.getValue(), null)).toMap())
			.toList();
	}

	static Map<String, Object> of(KeyOverride override, @Nullable String ignoredBecause) {
		Map<String, Object> limits = new LinkedHashMap<>();
		override.maxima().forEach((limit, max) -> limits.put(limit, Map.of("max", max)));
		limits.remove(RuleOverride.ONLY_LIMIT);
		return Fields.of("blocked", override.isBlocked() ? true : null)
			.with("unlimited", override.isUnlimited() ? true : null)
			.with("max", override.maxima().get(RuleOverride.ONLY_LIMIT))
			.withAny("limits", limits)
			.with("until", (override.until() != null) ? override.until().toString() : null)
			.with("ignoredBecause", ignoredBecause)
			.toMap();
	}

	static String explain(RateLimitRule rule, String key, KeyOverride override, @Nullable String ignoredBecause) {
		String counter = key.isEmpty() ? "the only counter" : "key \"" + key + '"';
		if (ignoredBecause != null) {
			return "The override of " + counter + " is ignored, because it does not fit the rule: " + ignoredBecause;
		}
		String because = "because " + counter;
		String until = ((override.until() != null) ? " until " + override.until() : " until that is removed") + '.';
		if (override.isBlocked()) {
			return "Every call " + EndpointFormat.isDenied(rule.mode()) + ", " + because + " is blocked" + until;
		}
		if (override.isUnlimited()) {
			return "Every call passes and is not counted, " + because + " is unlimited" + until;
		}
		return "Other numbers than those of the rule hold, " + because + " has "
				+ override.maxima()
					.entrySet()
					.stream()
					.map((max) -> max.getKey().isEmpty() ? String.valueOf(max.getValue())
							: max.getValue() + " of \"" + rule.name() + '-' + max.getKey() + '"')
					.collect(Collectors.joining(", "))
				+ until;
	}

}
