package io.github.ratelimit.engine;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

/**
 * Definition of a rule by one source, an annotation or a block of properties. One
 * definition overrides another field by field; together they make a rule.
 *
 * @param name the name of the rule
 * @param source the source
 * @param options the attributes of the rule
 * @param limit the only limit, or the defaults of several limits
 * @param limits several limits, instead of {@code max} and {@code period}
 * @since 0.1.0
 */
public record RuleDefinition(String name, RuleSource source, RuleOptions options, LimitAttributes limit,
		List<LimitAttributes> limits) {

	private static final Set<LimitAttribute<?>> OF_ONE_LIMIT = Set.of(LimitAttribute.NAME, LimitAttribute.MAX,
			LimitAttribute.PERIOD, LimitAttribute.CALENDAR);

	/** Return whether it only names a rule that has to be defined elsewhere. */
	boolean isNameOnly() {
		return this.limit.equals(LimitAttributes.NONE) && this.limits.isEmpty();
	}

	/**
	 * Return whether this definition only names the rule, so that any other definition
	 * agrees with it.
	 */
	boolean isReference() {
		return isNameOnly() && this.options.equals(RuleOptions.NONE);
	}

	/** Return whether another definition is the same, regardless of its source. */
	boolean agreesWith(RuleDefinition other) {
		return this.options.equals(other.options) && this.limit.equals(other.limit) && this.limits.equals(other.limits);
	}

	RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit) {
		return toRule(toLimit, (attribute) -> this.source);
	}

	RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit, @Nullable RuleDefinition override) {
		if (override == null) {
			return toRule(toLimit);
		}
		LimitAttributes own = override.limits.isEmpty() ? this.limit : this.limit.without(OF_ONE_LIMIT);
		RuleDefinition merged = new RuleDefinition(this.name, this.source, this.options.overriddenBy(override.options),
				own.overriddenBy(override.limit), override.limits);
		return merged.toRule(toLimit,
				(attribute) -> override.sets(attribute) ? override.source : source(attribute, toLimit, override));
	}

	/**
	 * Return the source of an attribute that is not overridden. If it is valid here and
	 * another algorithm does not use it, that algorithm is the mistake.
	 */
	private RuleSource source(String attribute, Function<LimitAttributes, Limit> toLimit, RuleDefinition override) {
		return (sets(attribute) && override.sets("algorithm") && isValid(toLimit))
				? new RuleSource(override.source.at("algorithm") + " over " + this.source.description(),
						this.source.separator(), override.source.notation(), null)
				: this.source;
	}

	private boolean isValid(Function<LimitAttributes, Limit> toLimit) {
		try {
			toRule(toLimit);
			return true;
		}
		catch (RateLimitConfigurationException ex) {
			return false;
		}
	}

	boolean sets(String attribute) {
		return this.limit.has(attribute) || this.options.has(attribute) || attribute.startsWith("limits");
	}

	private RateLimitRule toRule(Function<LimitAttributes, Limit> toLimit, Function<String, RuleSource> sources) {
		RateLimitRule.Builder rule = located(sources, () -> RateLimitRule.named(this.name));
		if (this.limits.isEmpty()) {
			rule.limit(located(sources, () -> toLimit.apply(this.limit)));
			return completed(rule, sources);
		}
		checkNotBoth("max", this.limit.get(LimitAttribute.MAX), sources);
		checkNotBoth("period", this.limit.get(LimitAttribute.PERIOD), sources);
		CalendarUnit calendar = this.limit.get(LimitAttribute.CALENDAR);
		checkNotBoth("calendar", (calendar != null) ? calendar.yamlName() : null, sources);
		for (int i = 0; i < this.limits.size(); i++) {
			rule.limit(limit(i, toLimit, sources));
		}
		checkCalendars(toLimit, sources);
		located(sources, rule::build);
		return completed(rule, sources);
	}

	/** Refuse defaults of calendars if no limit has one. */
	private void checkCalendars(Function<LimitAttributes, Limit> toLimit, Function<String, RuleSource> sources) {
		if (this.limits.stream().noneMatch((each) -> each.has("calendar"))) {
			Set<LimitAttribute<?>> others = new HashSet<>(LimitAttribute.all());
			LimitAttribute.OF_CALENDARS.forEach(others::remove);
			located(sources, () -> toLimit
				.apply(this.limit.overriddenBy(this.limits.get(0)).overriddenBy(this.limit.without(others))));
		}
	}

	/**
	 * Create one of several limits. A mistake in a default of all limits is located where
	 * the default is written.
	 */
	private Limit limit(int index, Function<LimitAttributes, Limit> toLimit, Function<String, RuleSource> sources) {
		LimitAttributes own = this.limits.get(index);
		try {
			return toLimit.apply(this.limit.overriddenBy(own));
		}
		catch (InvalidAttributeException ex) {
			boolean isDefault = !own.has(ex.location()) && this.limit.has(ex.location());
			throw located(ex, sources, isDefault ? "" : "limits[" + index + "].");
		}
	}

	private RateLimitRule completed(RateLimitRule.Builder rule, Function<String, RuleSource> sources) {
		return located(sources, () -> {
			this.options.addTo(rule);
			return rule.build();
		});
	}

	private static void checkNotBoth(String attribute, @Nullable Object value, Function<String, RuleSource> sources) {
		if (value != null) {
			throw new InvalidAttributeException(attribute, value, "the rule has limits as well.",
					"Write either max and " + (attribute.equals("max") ? "period" : attribute) + ", or limits.")
				.at(sources.apply(attribute).at(attribute));
		}
	}

	private <T> T located(Function<String, RuleSource> sources, Supplier<T> part) {
		try {
			return part.get();
		}
		catch (InvalidAttributeException ex) {
			throw located(ex, sources, "");
		}
	}

	private InvalidAttributeException located(InvalidAttributeException mistake, Function<String, RuleSource> sources,
			String path) {
		return sources.apply(path + mistake.location()).locate(mistake, path, this.name);
	}

}
