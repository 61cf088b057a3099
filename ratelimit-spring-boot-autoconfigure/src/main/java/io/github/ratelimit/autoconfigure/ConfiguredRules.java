package io.github.ratelimit.autoconfigure;

import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.engine.LimitDefinition;
import io.github.ratelimit.engine.RuleDefinition;
import io.github.ratelimit.engine.RuleSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rules written as properties.
 */
final class ConfiguredRules {

	private ConfiguredRules() {
	}

	static List<RuleDefinition> of(Map<String, RateLimitProperties.Rule> rules) {
		return rules.entrySet().stream().map((entry) -> definition(entry.getKey(), entry.getValue())).toList();
	}

	private static RuleDefinition definition(String name, RateLimitProperties.Rule rule) {
		LimitDefinition limit = new LimitDefinition(null, rule.max(), rule.period(), rule.burst(),
				written(rule.algorithm()));
		List<LimitDefinition> limits = rule.limits().stream().map(ConfiguredRules::definition).toList();
		return new RuleDefinition(name, RuleSource.properties(name), rule.key(), rule.onStoreFailure(), limit, limits);
	}

	private static LimitDefinition definition(RateLimitProperties.Limit limit) {
		return new LimitDefinition(limit.name(), limit.max(), limit.period(), limit.burst(),
				written(limit.algorithm()));
	}

	private static @Nullable Algorithm written(@Nullable Algorithm algorithm) {
		return (algorithm == Algorithm.DEFAULT) ? null : algorithm;
	}

}
