package io.github.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.ratelimit.Adaptive;
import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Align;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.LimitAttributes;
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
		LimitAttributes limit = attributes(rule.max(), rule.period(), rule.algorithm(), rule.burst(), rule.segments(),
				rule.align(), rule.warmUpPeriod(), rule.coldFactor(), rule.minInterval(), rule.countDenied(),
				adaptive(name, "", rule.adaptive()));
		List<LimitAttributes> limits = IntStream.range(0, rule.limits().size())
			.mapToObj((i) -> attributes(name, i, rule.limits().get(i)))
			.toList();
		return new RuleDefinition(name, RuleSource.properties(name), rule.key(), rule.onStoreFailure(), rule.maxWait(),
				limit, limits);
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
