package io.github.ratelimit;

import java.time.Duration;
import java.util.Objects;

import io.github.ratelimit.notation.DurationText;

/**
 * Refusals of {@link RateLimitRule#prefetch()} beside values that have no meaning while
 * an instance holds units.
 */
final class Prefetch {

	private Prefetch() {
	}

	static void check(RateLimitRule rule) {
		Duration prefetch = Objects.requireNonNull(rule.prefetch());
		for (Limit limit : rule.limits()) {
			if (limit.algorithm().isPacing()) {
				throw refused(prefetch, limit.algorithm().yamlName() + " paces calls one after the other, and units "
						+ "that an instance holds would let several pass at once.");
			}
			if (limit.minInterval() != null) {
				throw refused(prefetch, "min-interval keeps calls of all instances "
						+ DurationText.of(limit.minInterval()) + " apart, and units that an instance holds would not.");
			}
			if (limit.countDenied()) {
				throw refused(prefetch, "count-denied counts every denied call at once, and Redis does not see the "
						+ "calls that an instance decides.");
			}
		}
		RuleChecks.refuseBesideConcurrency(rule.limits(), "prefetch", DurationText.of(prefetch),
				"an instance would hold slots that no call uses, and keep them from the others.");
		if (rule.usedUnits() != null) {
			throw new InvalidAttributeException("settle", '"' + rule.usedUnits() + '"',
					"prefetch lets instances decide calls by units that they hold, and Redis has no record of the units of "
							+ "one call.",
					"Remove one of the two.");
		}
		if (!rule.candidates().isEmpty()) {
			throw Candidates.refused(rule.candidates().keySet(),
					"prefetch lets instances decide calls by units that they hold, and the candidates "
							+ "would not see these calls.");
		}
		if (!rule.headroom().isEmpty()) {
			throw Headroom.refused(rule.headroom(),
					"prefetch lets instances hold units, and what they hold is free for no class.");
		}
	}

	private static InvalidAttributeException refused(Duration prefetch, String reason) {
		return new InvalidAttributeException("prefetch", prefetch, reason,
				"Remove it, or count this rule by sliding-log, sliding-window, weighted-window, fixed-window or "
						+ "token-bucket, without min-interval and count-denied.");
	}

}
