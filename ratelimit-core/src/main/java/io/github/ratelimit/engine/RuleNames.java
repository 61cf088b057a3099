package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.Set;

import io.github.ratelimit.RateLimitConfigurationException;

/**
 * Names of rules in messages.
 */
final class RuleNames {

	private RuleNames() {
	}

	/**
	 * List the known names, and suggest the one that was probably meant.
	 */
	static String known(String written, Collection<String> known) {
		return " Known: " + (known.isEmpty() ? "none" : String.join(", ", known)) + "."
				+ NearestName.suggestion(written, known);
	}

	/**
	 * Describe an annotation that sets no limit and names no rule that does.
	 */
	static RateLimitConfigurationException unknown(RuleDefinition annotation, Collection<String> known) {
		String name = annotation.name();
		String nearest = NearestName.of(name, known)
			.map((rule) -> "Write @RateLimited(\"" + rule + "\"), or define the rule: ")
			.orElse("Define the rule: ");
		return new RateLimitConfigurationException(
				annotation.source().description() + ": max and period are missing, and there is no rule \"" + name
						+ "\" that sets them." + known(name, known),
				nearest + "max = 5, period = 60 in the annotation or " + RuleSource.properties(name).description()
						+ ": {max: 5, period: 60s} in the properties.");
	}

	/**
	 * Describe a rule of the environment that is incomplete, because it probably was to
	 * complete another one.
	 * @param incomplete the mistake of the rule by itself
	 * @param nearest the name that was probably meant
	 */
	static RateLimitConfigurationException misspelled(RuleDefinition definition, String nearest,
			RateLimitConfigurationException incomplete) {
		return new RateLimitConfigurationException(
				definition.source().description() + " overrides no rule: no annotation and no program names the rule \""
						+ definition.name() + "\"." + NearestName.suggestion(definition.name(), Set.of(nearest))
						+ " By itself it is incomplete: " + incomplete.description(),
				"Write " + RuleSource.properties(nearest).description() + " instead. Or complete the rule: "
						+ incomplete.action(),
				incomplete);
	}

	/**
	 * Describe annotations that set different limits for one rule.
	 */
	static RateLimitConfigurationException unlike(RuleDefinition one, RuleDefinition other) {
		return new RateLimitConfigurationException(
				one.source().description() + " and " + other.source().description() + " both define the rule \""
						+ one.name() + "\", but not alike.",
				"Give them different names, or write the limit once, as ratelimit.rules." + one.name()
						+ ", and only the name in the annotations.");
	}

}
