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
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("made", override.made().toString());
		if (override.mode() != null) {
			described.put("mode", EndpointFormat.mode(override.mode()));
		}
		Map<String, Object> limits = new LinkedHashMap<>();
		override.limits().forEach((name, attributes) -> {
			if (name.equals(RuleOverride.ONLY_LIMIT)) {
				described.putAll(of(attributes));
			}
			else {
				limits.put(name, of(attributes));
			}
		});
		if (!limits.isEmpty()) {
			described.put("limits", limits);
		}
		if (ignoredBecause != null) {
			described.put("ignoredBecause", ignoredBecause);
		}
		return described;
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
