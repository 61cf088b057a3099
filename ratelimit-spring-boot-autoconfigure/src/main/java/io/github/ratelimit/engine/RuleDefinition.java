package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.KeyLists;
import io.github.ratelimit.Limit;
import io.github.ratelimit.attribute.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Mode;
import io.github.ratelimit.OnStoreFailure;
import io.github.ratelimit.RateLimitRule;

/**
 * Definition of a rule by one source, an annotation or a block of properties. One
 * definition overrides another field by field; together they make a rule.
 *
 * @param name the name of the rule
 * @param source the source
 * @param key the key expression, or {@code null} if it is not set
 * @param onStoreFailure the policy, or {@code null} if it is not set
 * @param mode the mode, or {@code null} if it is not set
 * @param maxWait the longest wait of a call, or {@code null} if it is not set
 * @param prefetch how long an instance may hold units, or {@code null} if it is not set
 * @param limit the only limit, or the defaults of several limits
 * @param limits several limits, instead of {@code max} and {@code period}
 * @param lists the keys that are not counted, which an annotation does not have
 * @since 0.1.0
 */
public record RuleDefinition(String name, RuleSource source, @Nullable String key,
		@Nullable OnStoreFailure onStoreFailure, @Nullable Mode mode, @Nullable Duration maxWait,
		@Nullable Duration prefetch, LimitAttributes limit, List<LimitAttributes> limits, KeyLists lists) {

	private static final Set<LimitAttribute<?>> OF_ONE_LIMIT = Set.of(LimitAttribute.NAME, LimitAttribute.MAX,
			LimitAttribute.PERIOD);

	/**
	 * Create a new definition without lists of keys.
	 * @param name the name of the rule
	 * @param source the source
	 * @param key the key expression, or {@code null} if it is not set
	 * @param onStoreFailure the policy, or {@code null} if it is not set
	 * @param mode the mode, or {@code null} if it is not set
	 * @param maxWait the longest wait of a call, or {@code null} if it is not set
	 * @param prefetch how long an instance may hold units, or {@code null} if it is not
	 * set
	 * @param limit the only limit, or the defaults of several limits
	 * @param limits several limits, instead of {@code max} and {@code period}
	 */
	public RuleDefinition(String name, RuleSource source, @Nullable String key, @Nullable OnStoreFailure onStoreFailure,
			@Nullable Mode mode, @Nullable Duration maxWait, @Nullable Duration prefetch, LimitAttributes limit,
			List<LimitAttributes> limits) {
		this(name, source, key, onStoreFailure, mode, maxWait, prefetch, limit, limits, KeyLists.NONE);
	}

	/**
	 * Return whether it only names a rule that has to be defined elsewhere.
	 */
	boolean isNameOnly() {
		return this.limit.equals(LimitAttributes.NONE) && this.limits.isEmpty();
	}

	/**
	 * Return whether this definition only names the rule, so that any other definition
	 * agrees with it.
	 */
	boolean isReference() {
		return isNameOnly() && this.maxWait == null && this.prefetch == null && this.mode == null
				&& this.onStoreFailure == null;
	}

	/**
	 * Return whether another definition is the same, whatever its source.
	 */
	boolean agreesWith(RuleDefinition other) {
		return this.onStoreFailure == other.onStoreFailure && this.mode == other.mode
				&& Objects.equals(this.maxWait, other.maxWait) && Objects.equals(this.prefetch, other.prefetch)
				&& this.limit.equals(other.limit) && this.limits.equals(other.limits);
	}

	/**
	 * Create the rule of this definition alone.
	 */
	RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit) {
		return toRule(toLimit, (attribute) -> this.source);
	}

	/**
	 * Create the rule of this definition, overridden by another one.
	 */
	RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit, RuleDefinition override) {
		LimitAttributes own = override.limits.isEmpty() ? this.limit : this.limit.without(OF_ONE_LIMIT);
		RuleDefinition merged = new RuleDefinition(this.name, this.source, either(override.key, this.key),
				either(override.onStoreFailure, this.onStoreFailure), either(override.mode, this.mode),
				either(override.maxWait, this.maxWait), either(override.prefetch, this.prefetch),
				own.overriddenBy(override.limit), override.limits, override.lists);
		return merged.toRule(toLimit, (attribute) -> override.sets(attribute) ? override.source : this.source);
	}

	private boolean sets(String attribute) {
		return this.limit.has(attribute) || attribute.startsWith("limits")
				|| (attribute.equals("max-wait") && this.maxWait != null)
				|| (attribute.equals("prefetch") && this.prefetch != null);
	}

	private RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit, Function<String, RuleSource> sources) {
		RateLimitRule.Builder rule = located(sources, "", () -> RateLimitRule.named(this.name)).key(this.key)
			.onStoreFailure(this.onStoreFailure)
			.mode(this.mode)
			.lists(this.lists);
		if (this.maxWait != null) {
			located(sources, "", () -> rule.maxWait(this.maxWait));
		}
		if (this.limits.isEmpty()) {
			rule.limit(located(sources, "", () -> toLimit.apply(this.limit)));
			return prefetching(rule, sources);
		}
		checkNotBoth("max", this.limit.get(LimitAttribute.MAX), sources);
		checkNotBoth("period", this.limit.get(LimitAttribute.PERIOD), sources);
		for (int i = 0; i < this.limits.size(); i++) {
			LimitAttributes each = this.limit.overriddenBy(this.limits.get(i));
			rule.limit(located(sources, "limits[" + i + "].", () -> toLimit.apply(each)));
		}
		located(sources, "limits[].", rule::build);
		return prefetching(rule, sources);
	}

	private RateLimitRule prefetching(RateLimitRule.Builder rule, Function<String, RuleSource> sources) {
		return located(sources, "", () -> rule.prefetch(this.prefetch).build());
	}

	private static void checkNotBoth(String attribute, @Nullable Object value, Function<String, RuleSource> sources) {
		if (value != null) {
			throw new InvalidAttributeException(attribute, value, "the rule has limits as well.",
					"Write either max and period, or limits.")
				.at(sources.apply(attribute).at(attribute));
		}
	}

	private <T> T located(Function<String, RuleSource> sources, String path, Supplier<T> part) {
		try {
			return part.get();
		}
		catch (InvalidAttributeException ex) {
			throw sources.apply(path + ex.attribute()).locate(ex, path, this.name);
		}
	}

	private static <T extends @Nullable Object> T either(T first, T second) {
		return (first != null) ? first : second;
	}

}
