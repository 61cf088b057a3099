package io.github.ratelimit.actuate.endpoint;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.LimitAttributes;
import io.github.ratelimit.engine.RuleOverride;
import org.jspecify.annotations.Nullable;

/**
 * What was said of a rule at run time.
 */
final class OverrideDescription {

	private OverrideDescription() {
	}

	static Map<String, Object> of(RuleOverride override, @Nullable String ignoredBecause) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("made", override.made().toString());
		if (override.mode() != null) {
			described.put("mode", Words.of(override.mode()));
		}
		Map<String, Object> limits = new LinkedHashMap<>();
		override.limits().forEach((name, said) -> {
			if (name.equals(RuleOverride.ONLY_LIMIT)) {
				described.putAll(of(said));
			}
			else {
				limits.put(name, of(said));
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

	private static Map<String, Object> of(LimitAttributes said) {
		Map<String, Object> described = new LinkedHashMap<>();
		Long max = said.get(LimitAttribute.MAX);
		if (max != null) {
			described.put("max", max);
		}
		Duration period = said.get(LimitAttribute.PERIOD);
		if (period != null) {
			described.put("period", Words.of(period));
		}
		return described;
	}

}
