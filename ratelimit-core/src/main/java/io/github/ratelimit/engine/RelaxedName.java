package io.github.ratelimit.engine;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitConfigurationException;

/**
 * Name of a rule as an environment variable can hold it. Spring Boot treats names as
 * equal that differ only in hyphens, underscores or case.
 *
 * @param text the name in lower case and without hyphens and underscores
 * @since 0.1.0
 */
public record RelaxedName(String text) {

	public static RelaxedName of(String rule) {
		return new RelaxedName(rule.replaceAll("[-_]", "").toLowerCase(Locale.ROOT));
	}

	/** Return the failure of a name that may mean one rule or another. */
	static RateLimitConfigurationException ambiguous(RuleSource source, String one, String other) {
		return new RateLimitConfigurationException(source.description() + " may mean the rule "
				+ Stream.of(one, other).sorted().collect(Collectors.joining("\" or \"", "\"", "\""))
				+ ": Spring Boot does not distinguish property names that differ only in hyphens, underscores "
				+ "or case.", "Give one of the rules another name.");
	}

}
