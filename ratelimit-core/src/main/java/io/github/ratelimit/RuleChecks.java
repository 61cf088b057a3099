package io.github.ratelimit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.ratelimit.notation.KebabCase;

/**
 * Refusals of rules that have no meaning, each with the reason and a remedy.
 */
final class RuleChecks {

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,100}");

	private RuleChecks() {
	}

	static void checkName(String name) {
		if (!isName(name)) {
			throw new InvalidAttributeException("name", '"' + name + '"',
					"the name of a rule becomes part of Redis keys, headers and metric tags.",
					"Use 1 to 100 lower case letters, digits and hyphens, \"" + example(name, "reply")
							+ "\" for example.");
		}
	}

	static boolean isName(String name) {
		return NAME.matcher(name).matches();
	}

	/**
	 * Return a valid name that is similar to an invalid one.
	 */
	static String example(String name, String otherwise) {
		String kebabCase = KebabCase.of(name).replaceAll("^-|-$", "");
		return isName(kebabCase) ? kebabCase : otherwise;
	}

	static void checkMaxWait(Duration maxWait) {
		if (maxWait.isNegative() || maxWait.compareTo(Limit.MAX_PERIOD) > 0) {
			throw new InvalidAttributeException("max-wait", maxWait, "it has to be between 0 and 366 days.",
					"Write how long a call may wait, `max-wait: 2s` for example.");
		}
	}

	static void checkLimits(String rule, List<Limit> limits) {
		if (limits.isEmpty()) {
			throw new RateLimitConfigurationException("Rule \"" + rule + "\" has no limit.",
					"Give it one: limit(5, Duration.ofSeconds(60)) for example.");
		}
		if (limits.size() > 1) {
			checkLimitNames(rule, limits);
		}
	}

	private static void checkLimitNames(String rule, List<Limit> limits) {
		Set<String> names = new HashSet<>();
		for (int i = 0; i < limits.size(); i++) {
			String name = limits.get(i).name();
			if (name == null || !names.add(name)) {
				throw new InvalidAttributeException("name", name,
						"rule \"" + rule + "\" has several limits, and each needs a name of its own.",
						"Name them, \"minute\" and \"day\" for example.")
					.at("limits[" + i + "].name");
			}
		}
	}

}
