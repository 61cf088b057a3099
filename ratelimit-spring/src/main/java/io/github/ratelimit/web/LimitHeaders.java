package io.github.ratelimit.web;

import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.engine.RelaxedName;

/**
 * Formats of the headers that show the limits of a request: those of all rules, and those
 * of single ones. No format is an empty set, and a format of two names has one of them.
 *
 * @since 0.1.0
 */
public final class LimitHeaders {

	private final Set<HeaderFormat> usual;

	private volatile Map<RelaxedName, Set<HeaderFormat>> byRule = Map.of();

	public LimitHeaders(Collection<HeaderFormat> usual) {
		this.usual = effective(usual);
	}

	public static LimitHeaders of(HeaderFormat... formats) {
		return new LimitHeaders(List.of(formats));
	}

	/**
	 * Replace the formats of single rules.
	 * @param formats the formats by the name of the rule, which may lack its hyphens
	 * @param unchanged the names of rules that keep their formats
	 */
	public void configure(Map<String, ? extends Collection<HeaderFormat>> formats, Set<RelaxedName> unchanged) {
		Map<RelaxedName, Set<HeaderFormat>> changed = new HashMap<>(this.byRule);
		changed.keySet().retainAll(unchanged);
		formats.forEach((rule, own) -> {
			RelaxedName name = RelaxedName.of(rule);
			if (!unchanged.contains(name)) {
				changed.put(name, effective(own));
			}
		});
		this.byRule = Map.copyOf(changed);
	}

	private static Set<HeaderFormat> effective(Collection<HeaderFormat> formats) {
		Set<HeaderFormat> effective = EnumSet.noneOf(HeaderFormat.class);
		for (HeaderFormat format : formats) {
			if (format != HeaderFormat.NONE) {
				effective.add((format == HeaderFormat.IETF_11) ? HeaderFormat.IETF : format);
			}
		}
		return effective;
	}

	public Set<HeaderFormat> of(String rule) {
		return this.byRule.isEmpty() ? this.usual : this.byRule.getOrDefault(RelaxedName.of(rule), this.usual);
	}

	/** Return whether a rule has formats of its own. */
	public boolean areOwn(String rule) {
		return this.byRule.containsKey(RelaxedName.of(rule));
	}

	/**
	 * Return whether clients may know the names and the numbers of a rule, since it is
	 * not without headers.
	 */
	public boolean reveal(String rule) {
		return this.byRule.isEmpty() || !Set.of().equals(this.byRule.get(RelaxedName.of(rule)));
	}

}
