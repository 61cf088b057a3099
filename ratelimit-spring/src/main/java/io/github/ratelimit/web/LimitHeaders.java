package io.github.ratelimit.web;

import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.RelaxedName;

/**
 * Formats of the headers that show the limits of a request: those of all rules, and those
 * of single ones. No format is an empty set, and a format of two names has one of them.
 *
 * @since 0.1.0
 */
public final class LimitHeaders {

	private final Set<HeaderFormat> usual;

	private final Supplier<Collection<RateLimitRule>> rules;

	private volatile Map<RelaxedName, Set<HeaderFormat>> byRule = Map.of();

	/**
	 * Create the formats.
	 * @param usual the formats of rules that have none of their own
	 * @param rules all rules
	 */
	public LimitHeaders(Collection<HeaderFormat> usual, Supplier<Collection<RateLimitRule>> rules) {
		this.usual = effective(usual);
		this.rules = rules;
	}

	/**
	 * Create the formats of all rules.
	 * @param formats the formats
	 * @return the formats, regardless of the rule
	 */
	public static LimitHeaders of(HeaderFormat... formats) {
		return new LimitHeaders(List.of(formats), List::of);
	}

	/**
	 * Replace the formats of single rules.
	 * @param formats the formats by the name of the rule, which may lack its hyphens
	 */
	public void configure(Map<String, ? extends Collection<HeaderFormat>> formats) {
		this.byRule = formats.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap((rule) -> RelaxedName.of(rule.getKey()),
					(rule) -> effective(rule.getValue()), (one, same) -> one));
	}

	private static Set<HeaderFormat> effective(Collection<HeaderFormat> formats) {
		Set<HeaderFormat> effective = EnumSet.noneOf(HeaderFormat.class);
		for (HeaderFormat format : formats) {
			switch (format) {
				case IETF, IETF_11 -> effective.add(HeaderFormat.IETF);
				case X_RATELIMIT -> effective.add(HeaderFormat.X_RATELIMIT);
				case NONE -> {
					// no format
				}
			}
		}
		return effective;
	}

	/**
	 * Return the formats that show a limit.
	 * @param limit the name of the limit
	 */
	Set<HeaderFormat> of(String limit) {
		return this.byRule.isEmpty() ? this.usual : this.byRule.getOrDefault(rule(limit), this.usual);
	}

	/**
	 * Return whether clients may know the name and the numbers of a limit, since its rule
	 * is not without headers.
	 * @param limit the name of the limit, of its rule or of a ban
	 */
	boolean reveal(String limit) {
		return this.byRule.isEmpty() || !Set.of().equals(this.byRule.get(rule(limit)));
	}

	/**
	 * Return the rule of a limit. The only limit of a rule is named like the rule; names
	 * of several limits, and those of bans, begin with that of the rule.
	 */
	private RelaxedName rule(String limit) {
		Set<String> names = this.rules.get().stream().map(RateLimitRule::name).collect(Collectors.toSet());
		String rule = limit;
		while (!names.contains(rule) && rule.indexOf('-') > 0) {
			rule = rule.substring(0, rule.lastIndexOf('-'));
		}
		return RelaxedName.of(rule);
	}

}
