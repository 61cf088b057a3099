package io.github.ratelimit;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Refusals of {@code unless} and {@code settle} where they have no meaning, each with the
 * reason and a remedy.
 */
final class SettlingChecks {

	private static final String COUNT_OTHERWISE = "Write `algorithm: token-bucket`, `algorithm: fixed-window`, "
			+ "`algorithm: weighted-window` or `algorithm: sliding-window`, or remove it.";

	private SettlingChecks() {
	}

	static void checkExpression(String attribute, @Nullable String expression, String example) {
		if (expression != null && expression.isBlank()) {
			throw new InvalidAttributeException(attribute, '"' + expression + '"', "it is empty.",
					"In YAML quote what begins with #, `" + attribute + ": \"" + example
							+ "\"` for example; or remove it.");
		}
	}

	static void check(@Nullable String settle, List<Limit> limits, @Nullable Duration prefetch) {
		if (settle == null) {
			return;
		}
		for (Limit limit : limits) {
			if (limit.algorithm() != Algorithm.DEFAULT && !limit.algorithm().hasDebt()) {
				throw new InvalidAttributeException(
						"settle", '"' + settle + '"', "a call may use more than it took, and "
								+ limit.algorithm().yamlName() + " cannot count units beyond the limit.",
						COUNT_OTHERWISE);
			}
		}
		if (prefetch != null) {
			throw new InvalidAttributeException("settle", '"' + settle + '"',
					"prefetch lets instances decide calls by units that they hold, and Redis has no record of the units of "
							+ "one call.",
					"Remove one of the two.");
		}
	}

}
