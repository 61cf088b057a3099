package io.github.ratelimit.engine;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.notation.Notation;

/**
 * Override of a rule at run time. It overrides all other sources, value by value.
 *
 * @param rule the name of the rule
 * @param mode the mode, or {@code null} if it is not overridden
 * @param limits the overridden attributes of limits by their names; {@link #ONLY_LIMIT}
 * for the only one of a rule
 * @param made the time of the last change
 * @since 0.1.0
 */
public record RuleOverride(String rule, @Nullable Mode mode, SortedMap<String, LimitAttributes> limits, Instant made) {

	/** Placeholder for the name of the only limit of a rule. */
	public static final String ONLY_LIMIT = "";

	private static final Set<String> CHANGEABLE = Set.of("max", "period", "mode", "limit");

	public RuleOverride {
		limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
	}

	/**
	 * Add this override to an earlier one.
	 * @param earlier the earlier override, {@code null} for none
	 * @return both, with the time of this one
	 */
	public RuleOverride after(@Nullable RuleOverride earlier) {
		if (earlier == null) {
			return this;
		}
		SortedMap<String, LimitAttributes> both = new TreeMap<>(earlier.limits);
		this.limits.forEach((name, attributes) -> both.merge(name, attributes, LimitAttributes::overriddenBy));
		return new RuleOverride(this.rule, (this.mode != null) ? this.mode : earlier.mode, both, this.made);
	}

	/** Return the overridden attributes of a limit. */
	public LimitAttributes of(RateLimitRule among, Limit limit) {
		return this.limits.getOrDefault(nameIn(among, limit), LimitAttributes.NONE);
	}

	/** Return the name of a limit in overrides. */
	public static String nameIn(RateLimitRule rule, Limit limit) {
		String name = limit.name();
		return (rule.limits().size() == 1 || name == null) ? ONLY_LIMIT : name;
	}

	/**
	 * Override a rule.
	 * @throws RateLimitConfigurationException if the override does not fit the rule
	 */
	RateLimitRule applyTo(RateLimitRule written) {
		checkKnown(written, this.limits.keySet());
		RateLimitRule changed = written.withEachLimit((limit) -> applyTo(written, limit));
		return (this.mode != null) ? changed.withMode(this.mode) : changed;
	}

	/** Refuse names of limits that a rule does not have. */
	static void checkKnown(RateLimitRule rule, Set<String> names) {
		List<String> known = rule.limits().stream().map((limit) -> nameIn(rule, limit)).sorted().toList();
		for (String name : names) {
			if (!known.contains(name)) {
				throw noLimit(name, rule, known,
						"Write which of them to change, `limit: " + known.get(0) + "` for example.")
					.at("limit", notation(CHANGEABLE)::print);
			}
		}
	}

	/**
	 * Return the refusal of a limit that a rule does not have.
	 * @param name its name, {@link #ONLY_LIMIT} if it is missing
	 * @param remedy what to do if it is missing
	 */
	static InvalidAttributeException noLimit(String name, RateLimitRule rule, List<String> known, String remedy) {
		String has = "rule \"" + rule.name() + "\" has ";
		if (name.equals(ONLY_LIMIT)) {
			return new InvalidAttributeException("limit", null, has + "several: " + String.join(", ", known) + ".",
					remedy);
		}
		boolean isOnlyOne = known.contains(ONLY_LIMIT);
		return new InvalidAttributeException("limit", '"' + name + '"',
				has + (isOnlyOne ? "one limit only." : String.join(", ", known) + "."),
				isOnlyOne ? "Leave limit out." : "Write one of these.");
	}

	/**
	 * Return the notation of remedies for a change at run time: JSON for attributes that
	 * can be changed then, and properties for all others.
	 */
	static Notation notation(Set<String> changeable) {
		return (attribute, value) -> changeable.contains(attribute) ? Notation.JSON.spell(attribute, value)
				: Notation.YAML.spell(attribute, value) + " in the properties";
	}

	private Limit applyTo(RateLimitRule rule, Limit limit) {
		LimitAttributes attributes = of(rule, limit);
		try {
			if (limit.adaptive() != null && attributes.get(LimitAttribute.MAX) != null) {
				throw new InvalidAttributeException("max", attributes.get(LimitAttribute.MAX),
						"adaptive derives it from the load of each instance.",
						"Change period or mode, or write another rule without adaptive.");
			}
			Duration period = attributes.get(LimitAttribute.PERIOD);
			if (limit.calendar() != null && period != null) {
				throw new InvalidAttributeException("period", period,
						"the limit counts by the calendar, " + limit.calendar() + '.',
						"Change max or mode, or write another rule with a period.");
			}
			return attributes.applyTo(limit);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(ex.attribute() + " of \"" + rule.nameOf(limit) + '"', notation(CHANGEABLE)::print);
		}
	}

}
