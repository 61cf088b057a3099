package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.RuleOverride;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Description of the override of a rule.
 */
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
		Map<String, Object> described = new LinkedHashMap<>();
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Object value = attributes.get(attribute);
			if (value != null) {
				described.put(attribute.name(),
						(value instanceof Duration duration) ? DurationText.of(duration) : value);
			}
		}
		return described;
	}

}
