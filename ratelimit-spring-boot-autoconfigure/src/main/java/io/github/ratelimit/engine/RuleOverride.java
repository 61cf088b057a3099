package io.github.ratelimit.engine;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.LimitAttributes;
import io.github.ratelimit.Mode;
import io.github.ratelimit.Notation;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

/**
 * What an operator said of a rule at run time. It overrides, value by value, what is
 * written anywhere else.
 *
 * @param rule the name of the rule
 * @param mode the mode, or {@code null} if nothing was said of it
 * @param limits what was said of limits, by their name; of the only one of a rule by
 * {@link #ONLY_LIMIT}
 * @param made when it was said last
 * @since 0.1.0
 */
public record RuleOverride(String rule, @Nullable Mode mode, SortedMap<String, LimitAttributes> limits, Instant made) {

	/**
	 * Stands for the name of the only limit of a rule.
	 */
	public static final String ONLY_LIMIT = "";

	/**
	 * Create a new override.
	 * @param rule the name of the rule
	 * @param mode the mode, or {@code null} to leave it
	 * @param limits the changed values by the name of their limit
	 * @param made the time of the last change
	 */
	public RuleOverride {
		limits = Collections.unmodifiableSortedMap(new TreeMap<>(limits));
	}

	/**
	 * What was said earlier, and now this beside it or instead.
	 * @param earlier what was said before, {@code null} for nothing
	 * @return both, made when this was
	 */
	public RuleOverride after(@Nullable RuleOverride earlier) {
		if (earlier == null) {
			return this;
		}
		SortedMap<String, LimitAttributes> both = new TreeMap<>(earlier.limits);
		this.limits.forEach((name, said) -> both.merge(name, said, LimitAttributes::overriddenBy));
		return new RuleOverride(this.rule, (this.mode != null) ? this.mode : earlier.mode, both, this.made);
	}

	/**
	 * What was said of a limit.
	 * @param among the rule it belongs to
	 * @param limit the limit
	 * @return the attributes; none if nothing was
	 */
	public LimitAttributes of(RateLimitRule among, Limit limit) {
		return this.limits.getOrDefault(nameIn(among, limit), LimitAttributes.NONE);
	}

	private static String nameIn(RateLimitRule rule, Limit limit) {
		String name = limit.name();
		return (rule.limits().size() == 1 || name == null) ? ONLY_LIMIT : name;
	}

	/**
	 * The rule with what was said of it.
	 * @param written the rule without it
	 * @return a changed copy
	 * @throws RateLimitConfigurationException if the rule cannot follow
	 */
	RateLimitRule applyTo(RateLimitRule written) {
		Map<String, Limit> byName = written.limits()
			.stream()
			.collect(Collectors.toMap((limit) -> nameIn(written, limit), (limit) -> limit));
		this.limits.keySet().forEach((name) -> checkKnown(written, name, byName.keySet().stream().sorted().toList()));
		RateLimitRule changed = written
			.withLimits(written.limits().stream().map((limit) -> applyTo(written, limit)).toList());
		return (this.mode != null) ? changed.withMode(this.mode) : changed;
	}

	private static void checkKnown(RateLimitRule rule, String name, List<String> known) {
		if (known.contains(name)) {
			return;
		}
		if (name.equals(ONLY_LIMIT)) {
			throw new InvalidAttributeException("limit", null,
					"rule \"" + rule.name() + "\" has several: " + String.join(", ", known) + ".",
					"Write which of them to change, `limit: " + known.get(0) + "` for example.")
				.at("limit", Notation.JSON);
		}
		throw new InvalidAttributeException("limit", '"' + name + '"',
				"rule \"" + rule.name() + "\" has "
						+ (known.contains(ONLY_LIMIT) ? "one limit only." : String.join(", ", known) + "."),
				known.contains(ONLY_LIMIT) ? "Leave limit out." : "Write one of these.");
	}

	private Limit applyTo(RateLimitRule rule, Limit limit) {
		LimitAttributes said = of(rule, limit);
		try {
			if (limit.adaptive() != null && said.get(LimitAttribute.MAX) != null) {
				throw new InvalidAttributeException("max", said.get(LimitAttribute.MAX),
						"it follows the load of each instance, as adaptive says.",
						"Change period or mode, or write another rule without adaptive.");
			}
			return limit.overriddenBy(said);
		}
		catch (InvalidAttributeException ex) {
			throw ex.at(ex.attribute() + " of \"" + rule.nameOf(limit) + '"', Notation.JSON);
		}
	}

}
