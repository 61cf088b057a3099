package io.github.ratelimit.engine;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;

/**
 * What a source, an annotation or a block of properties, says of a rule. One definition
 * overrides another field by field; together they make a rule.
 *
 * @param name the name of the rule
 * @param source where it was written
 * @param key the key expression, or {@code null} if it says nothing of it
 * @param onStoreFailure the policy, or {@code null} if it says nothing of it
 * @param limit the only limit, or what the limits do not say themselves
 * @param limits several limits, instead of {@code max} and {@code period}
 * @since 0.1.0
 */
public record RuleDefinition(String name, RuleSource source, @Nullable String key,
		@Nullable OnStoreFailure onStoreFailure, LimitDefinition limit, List<LimitDefinition> limits) {

	/**
	 * Whether another definition says the same, wherever it was written.
	 */
	boolean agreesWith(RuleDefinition other) {
		return Objects.equals(this.onStoreFailure, other.onStoreFailure) && this.limit.equals(other.limit)
				&& this.limits.equals(other.limits);
	}

	/**
	 * The rule of this definition alone.
	 */
	RateLimitRule toRule(Algorithm defaultAlgorithm) {
		return toRule(defaultAlgorithm, this.source::at);
	}

	/**
	 * The rule of this definition, of which another one overrides what it says itself.
	 */
	RateLimitRule toRule(Algorithm defaultAlgorithm, RuleDefinition override) {
		LimitDefinition single = override.limits.isEmpty() ? this.limit.overriddenBy(override.limit)
				: new LimitDefinition(null, null, null, this.limit.burst(), this.limit.algorithm())
					.overriddenBy(override.limit);
		RuleDefinition merged = new RuleDefinition(this.name, this.source,
				LimitDefinition.either(override.key, this.key),
				LimitDefinition.either(override.onStoreFailure, this.onStoreFailure), single, override.limits);
		return merged.toRule(defaultAlgorithm,
				(attribute) -> (override.limit.says(attribute) || attribute.startsWith("limits"))
						? override.source.at(attribute) : this.source.at(attribute));
	}

	private RateLimitRule toRule(Algorithm defaultAlgorithm, Function<String, String> location) {
		RateLimitRule.Builder rule = located(location, "", () -> RateLimitRule.named(this.name)).key(this.key)
			.onStoreFailure(this.onStoreFailure);
		if (this.limits.isEmpty()) {
			return rule.limit(located(location, "", () -> this.limit.toLimit(defaultAlgorithm))).build();
		}
		checkNotBoth("max", this.limit.max(), location);
		checkNotBoth("period", this.limit.period(), location);
		for (int i = 0; i < this.limits.size(); i++) {
			LimitDefinition each = new LimitDefinition(null, null, null, this.limit.burst(), this.limit.algorithm())
				.overriddenBy(this.limits.get(i));
			rule.limit(located(location, "limits[" + i + "].", () -> each.toLimit(defaultAlgorithm)));
		}
		return located(location, "limits[].", rule::build);
	}

	private static void checkNotBoth(String attribute, @Nullable Object value, Function<String, String> location) {
		if (value != null) {
			throw new InvalidAttributeException(attribute, value, "the rule has limits as well.",
					"Write either max and period, or limits.")
				.at(location.apply(attribute));
		}
	}

	private static <T> T located(Function<String, String> location, String path, Supplier<T> part) {
		try {
			return part.get();
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(location.apply(path + ex.attribute()));
		}
	}

}
