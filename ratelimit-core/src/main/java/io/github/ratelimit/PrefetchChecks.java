package io.github.ratelimit;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of {@code prefetch} where it has no meaning, each with the reason and a
 * remedy.
 */
final class PrefetchChecks {

	private static final Duration LONGEST = Duration.ofSeconds(1);

	/**
	 * Algorithms that decide when a call may proceed, not only whether it may.
	 */
	private static final Set<Algorithm> PACING = Set.of(Algorithm.LEAKY_BUCKET, Algorithm.WARM_UP);

	private PrefetchChecks() {
	}

	static void checkRange(@Nullable Duration prefetch) {
		if (prefetch != null && (prefetch.compareTo(Duration.ofMillis(1)) < 0 || prefetch.compareTo(LONGEST) > 0)) {
			throw new InvalidAttributeException("prefetch", prefetch, "it has to be between 1 ms and 1 s.",
					"Write how long an instance may hold units, `prefetch: 20ms` for example; a number without a unit "
							+ "means seconds.");
		}
	}

	static void check(@Nullable Duration prefetch, List<Limit> limits) {
		if (prefetch == null) {
			return;
		}
		for (Limit limit : limits) {
			if (PACING.contains(limit.algorithm())) {
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
	}

	private static InvalidAttributeException refused(Duration prefetch, String reason) {
		return new InvalidAttributeException("prefetch", prefetch, reason,
				"Remove it, or count this rule by sliding-log, sliding-window, weighted-window, fixed-window or "
						+ "token-bucket, without min-interval and count-denied.");
	}

}
