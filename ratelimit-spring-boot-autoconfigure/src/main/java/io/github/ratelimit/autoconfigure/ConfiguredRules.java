package io.github.ratelimit.autoconfigure;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Ban;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyLists;
import io.github.ratelimit.attribute.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.PlanDefinition;
import io.github.ratelimit.engine.PlanDefinitions;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleOptions;
import io.github.ratelimit.engine.RuleSource;

/**
 * Reader of the rules written as properties.
 */
final class ConfiguredRules {

	private ConfiguredRules() {
	}

	static List<RuleDefinition> of(Map<String, RuleProperties> rules) {
		requireNames("ratelimit.rules", rules);
		return distinct(rules).entrySet()
			.stream()
			.map((entry) -> definition(entry.getKey(), entry.getValue()))
			.toList();
	}

	/**
	 * Refuse a list, whose elements have numbers instead of names.
	 */
	private static void requireNames(String map, Map<String, ?> byName) {
		if (byName.containsKey("0")) {
			String attribute = map.substring(map.lastIndexOf('.') + 1);
			throw new InvalidAttributeException(attribute, "{...}", attribute + " is a map of names, not a list.",
					"Write the name before its properties, `" + attribute
							+ ": {reply: {max: 5, period: 60s}}` for example.")
				.at(map + "[0]");
		}
	}

	/**
	 * Merge names that differ only in hyphens. A rule that is written with hyphens, and
	 * without them in an environment variable, is bound twice with the same values,
	 * because Spring Boot ignores hyphens.
	 */
	private static Map<String, RuleProperties> distinct(Map<String, RuleProperties> rules) {
		Map<RelaxedName, String> names = new HashMap<>();
		for (Map.Entry<String, RuleProperties> entry : rules.entrySet()) {
			String name = entry.getKey();
			String other = names.put(RelaxedName.of(name), name);
			if (other != null) {
				boolean isTheSame = entry.getValue().equals(rules.get(other))
						&& (name.indexOf('-') < 0 || other.indexOf('-') < 0);
				require(isTheSame, name, other);
				names.put(RelaxedName.of(name), (other.length() > name.length()) ? other : name);
			}
		}
		return names.values().stream().collect(Collectors.toMap((name) -> name, rules::get));
	}

	private static void require(boolean isTheSame, String name, String other) {
		if (!isTheSame) {
			throw new RateLimitConfigurationException(Stream.of(name, other)
				.sorted()
				.map("ratelimit.rules."::concat)
				.collect(Collectors.joining(" and "))
					+ " differ only in hyphens, underscores or case, which Spring Boot ignores, so it mixes them up.",
					"Give one of them another name.");
		}
	}

	private static RuleDefinition definition(String name, RuleProperties rule) {
		RuleSource source = RuleSource.properties(name);
		LimitAttributes limit = attributes(source, "", rule);
		List<LimitAttributes> limits = IntStream.range(0, rule.limits().size())
			.mapToObj((i) -> attributes(source, i, rule.limits().get(i)))
			.toList();
		RuleOptions options = new RuleOptions(rule.onStoreFailure(), rule.mode(), rule.maxWait(), rule.prefetch(),
				ban(source, rule.ban()), rule.unless(), rule.settle(), lists(source, rule));
		requireNames(source.at("plans"), rule.plans());
		return new RuleDefinition(name, source, rule.key(), options, limit, limits, plans(rule));
	}

	private static PlanDefinitions plans(RuleProperties rule) {
		Map<String, PlanDefinition> byName = new LinkedHashMap<>();
		for (Map.Entry<String, PlanProperties> plan : rule.plans().entrySet()) {
			byName.put(plan.getKey(), plan.getValue().toDefinition());
		}
		return new PlanDefinitions(rule.plan(), byName);
	}

	private static @Nullable Ban ban(RuleSource source, @Nullable BanProperties ban) {
		try {
			return (ban != null) ? ban.toBan() : null;
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(source.at(ex.attribute()));
		}
	}

	private static KeyLists lists(RuleSource source, RuleProperties rule) {
		try {
			return new KeyLists(rule.allow(), rule.deny());
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(source.at(ex.attribute()));
		}
	}

	private static LimitAttributes attributes(RuleSource source, int index, LimitProperties limit) {
		return attributes(source, "limits[" + index + "].", limit).with(LimitAttribute.NAME, limit.name());
	}

	private static LimitAttributes attributes(RuleSource source, String path, SharedLimitProperties limit) {
		try {
			return limit.toAttributes();
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(source.at(path + ex.attribute()));
		}
	}

}
