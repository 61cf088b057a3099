package io.github.ratelimit.autoconfigure;

import java.util.List;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.engine.NearestName;
import io.github.ratelimit.engine.RelaxedName;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Rules that entries of properties name.
 *
 * @param registry the rules
 */
record RegisteredRules(RuleRegistry registry) {

	/**
	 * Return the limiter of a rule.
	 * @param location the entry that names the rule
	 * @param name the name of the rule, {@code null} if the entry has none
	 * @throws InvalidAttributeException if there is no such rule
	 */
	RuleLimiter limiter(String location, @Nullable String name) {
		List<String> known = this.registry.rules().stream().map(RateLimitRule::name).sorted().toList();
		if (name == null) {
			throw new InvalidAttributeException("rule", null, "it determines how many requests are admitted.",
					"Write the name of a rule, " + (known.isEmpty()
							? "and define it, ratelimit.rules.api: {max: 5, period: 60s} for example."
							: "`rule: " + known.get(0) + "` for example. Known: " + text(known) + "."))
				.at(location + ".rule");
		}
		if (!known.contains(name)) {
			refuseOtherSpelling(location, name, known);
			throw new InvalidAttributeException("rule", '"' + name + '"',
					"there is no such rule. Known: " + text(known) + "." + NearestName.suggestion(name, known),
					NearestName.of(name, known)
						.map((nearest) -> "Write `rule: " + nearest + "`")
						.orElse("Write one of these") + ", or add ratelimit.rules." + name + ": {max: 5, period: 60s}.")
				.at(location + ".rule");
		}
		return this.registry.limiter(name);
	}

	/**
	 * Refuse a name that relaxed binding does not distinguish from that of a known rule:
	 * the properties of the two may have been merged.
	 */
	private static void refuseOtherSpelling(String location, String name, List<String> known) {
		known.stream()
			.filter((rule) -> RelaxedName.of(rule).equals(RelaxedName.of(name)))
			.findFirst()
			.ifPresent((rule) -> {
				throw new InvalidAttributeException("rule", '"' + name + '"',
						"the name of the rule is \"" + rule + "\", and the two differ in hyphens, underscores or case.",
						"Write the same name everywhere, here `rule: " + rule + "`.")
					.at(location + ".rule");
			});
	}

	private static String text(List<String> names) {
		return names.isEmpty() ? "none" : String.join(", ", names);
	}

}
