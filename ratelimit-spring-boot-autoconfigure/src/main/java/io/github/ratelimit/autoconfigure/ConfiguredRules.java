package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.attribute.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.engine.RelaxedName;
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
		return distinct(rules).entrySet()
			.stream()
			.map((entry) -> definition(entry.getKey(), entry.getValue()))
			.toList();
	}

	/**
	 * A rule that is written with hyphens, and without them in an environment variable,
	 * is bound twice, and alike each time, since Spring Boot does not look at hyphens.
	 */
	private static Map<String, RateLimitProperties.Rule> distinct(Map<String, RateLimitProperties.Rule> rules) {
		Map<RelaxedName, String> names = new HashMap<>();
		for (Map.Entry<String, RateLimitProperties.Rule> entry : rules.entrySet()) {
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
			throw new RateLimitConfigurationException(
					Stream.of(name, other).sorted().map("ratelimit.rules."::concat).collect(Collectors.joining(" and "))
							+ " differ only in hyphens, which Spring Boot does not look at, so it mixes them up.",
					"Give one of them another name.");
		}
	}

	private static RuleDefinition definition(String name, RateLimitProperties.Rule rule) {
		LimitAttributes limit = attributes(rule.max(), rule.period(), rule.algorithm(), rule.burst(), rule.segments(),
				rule.align(), rule.warmUpPeriod(), rule.coldFactor(), rule.minInterval(), rule.countDenied(),
				adaptive(name, "", rule.adaptive()));
		List<LimitAttributes> limits = IntStream.range(0, rule.limits().size())
			.mapToObj((i) -> attributes(name, i, rule.limits().get(i)))
			.toList();
		return new RuleDefinition(name, RuleSource.properties(name), rule.key(), rule.onStoreFailure(), rule.mode(),
				rule.maxWait(), limit, limits);
	}

	private static LimitAttributes attributes(String rule, int index, RateLimitProperties.Limit limit) {
		return attributes(limit.max(), limit.period(), limit.algorithm(), limit.burst(), limit.segments(),
				limit.align(), limit.warmUpPeriod(), limit.coldFactor(), limit.minInterval(), limit.countDenied(),
				adaptive(rule, "limits[" + index + "].", limit.adaptive()))
			.with(LimitAttribute.NAME, limit.name());
	}

	private static LimitAttributes attributes(@Nullable Long max, @Nullable Duration period,
			@Nullable Algorithm algorithm, @Nullable Long burst, @Nullable Integer segments, @Nullable Align align,
			@Nullable Duration warmUpPeriod, @Nullable Integer coldFactor, @Nullable Duration minInterval,
			@Nullable Boolean countDenied, @Nullable Adaptive adaptive) {
		return LimitAttributes.NONE.with(LimitAttribute.MAX, max)
			.with(LimitAttribute.PERIOD, period)
			.with(LimitAttribute.ALGORITHM, (algorithm == Algorithm.DEFAULT) ? null : algorithm)
			.with(LimitAttribute.BURST, burst)
			.with(LimitAttribute.SEGMENTS, segments)
			.with(LimitAttribute.ALIGN, align)
			.with(LimitAttribute.WARM_UP_PERIOD, warmUpPeriod)
			.with(LimitAttribute.COLD_FACTOR, coldFactor)
			.with(LimitAttribute.MIN_INTERVAL, minInterval)
			.with(LimitAttribute.COUNT_DENIED, countDenied)
			.with(LimitAttribute.ADAPTIVE, adaptive);
	}

	private static @Nullable Adaptive adaptive(String rule, String path,
			RateLimitProperties.@Nullable Adaptive adaptive) {
		if (adaptive == null) {
			return null;
		}
		try {
			return adaptive.toAdaptive();
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(RuleSource.properties(rule).at(path + ex.attribute()));
		}
	}

}
