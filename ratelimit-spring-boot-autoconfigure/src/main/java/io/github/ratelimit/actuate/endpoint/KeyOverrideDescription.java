package io.github.ratelimit.actuate.endpoint;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.RateLimitRule;

/**
 * Description of overrides of keys.
 */
final class KeyOverrideDescription {

	private KeyOverrideDescription() {
	}

	/**
	 * Describe all overrides of a rule.
	 * @param overrides the overrides by key
	 * @return the overrides with their ends, ordered by key
	 */
	static List<Map<String, Object>> of(Map<String, KeyOverride> overrides) {
		return overrides.entrySet().stream().sorted(Map.Entry.comparingByKey()).map((entry) -> {
			Map<String, Object> described = new LinkedHashMap<>();
			described.put("key", entry.getKey());
			described.putAll(of(entry.getValue()));
			return described;
		}).toList();
	}

	static Map<String, Object> of(KeyOverride override) {
		Map<String, Object> described = new LinkedHashMap<>();
		if (override.isBlocked()) {
			described.put("blocked", true);
		}
		if (override.isUnlimited()) {
			described.put("unlimited", true);
		}
		Map<String, Object> limits = new LinkedHashMap<>();
		override.maxima().forEach((limit, max) -> {
			if (limit.isEmpty()) {
				described.put("max", max);
			}
			else {
				limits.put(limit, Map.of("max", max));
			}
		});
		if (!limits.isEmpty()) {
			described.put("limits", limits);
		}
		if (override.until() != null) {
			described.put("until", override.until().toString());
		}
		return described;
	}

	/**
	 * Explain in a sentence what an override means for its key.
	 */
	static String explain(RateLimitRule rule, String key, KeyOverride override) {
		String because = "because " + (key.isEmpty() ? "the only counter" : "key \"" + key + '"');
		String until = ((override.until() != null) ? " until " + override.until() : " until that is removed") + '.';
		if (override.isBlocked()) {
			return "Every call is denied, " + because + " is blocked" + until;
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
