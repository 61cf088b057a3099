package io.github.ratelimit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of candidates that have no meaning, each with the reason and a remedy.
 */
final class CandidateChecks {

	/**
	 * Most candidates of a rule. Each costs about as much of the store as a rule.
	 */
	private static final int MOST = 4;

	private CandidateChecks() {
	}

	static void checkLimits(String candidate, List<Limit> tried, List<Limit> own) {
		if (tried.isEmpty()) {
			throw new InvalidAttributeException("candidates." + candidate, "[]", "it tries nothing.",
					"Write what differs from the rule, `max: 5` for example.");
		}
		if (own.size() == 1) {
			String name = tried.get(0).name();
			if (tried.size() > 1 || name != null && !name.equals(own.get(0).name())) {
				throw new InvalidAttributeException("candidates." + candidate + ".limits", tried,
						"the rule has one limit only.", "Write what differs from it, `max: 5` for example.");
			}
			return;
		}
		String known = own.stream().map(Limit::name).collect(Collectors.joining(", "));
		Set<@Nullable String> names = new HashSet<>();
		for (int i = 0; i < tried.size(); i++) {
			String name = tried.get(i).name();
			if (own.stream().noneMatch((limit) -> Objects.equals(limit.name(), name)) || !names.add(name)) {
				throw new InvalidAttributeException("candidates." + candidate + ".limits[" + i + "].name", name,
						"a candidate tries other numbers of limits of the rule, once of each.",
						"Name one of these: " + known + '.');
			}
		}
	}

	/**
	 * Check that the candidates of a rule are decided independently of its limits.
	 */
	static void check(Map<String, List<Limit>> candidates, List<Limit> own, Duration maxWait,
			@Nullable Duration prefetch) {
		if (candidates.size() > MOST) {
			throw new InvalidAttributeException("candidates", names(candidates),
					"a rule tries at most " + MOST + " candidates, since every call is counted for each of them.",
					"Remove some of them.");
		}
		if (!maxWait.isZero()) {
			throw refused(candidates, "max-wait " + DurationText.of(maxWait)
					+ " lets calls wait, and how long calls of a candidate would have waited is unknown.");
		}
		if (prefetch != null) {
			throw refused(candidates,
					"prefetch lets instances decide calls by units that they hold, and the candidates "
							+ "would not see these calls.");
		}
		own.forEach((limit) -> check(candidates, limit));
		candidates.values().forEach((limits) -> limits.forEach((limit) -> check(candidates, limit)));
	}

	private static String names(Map<String, List<Limit>> candidates) {
		return candidates.keySet().stream().sorted().collect(Collectors.joining(", "));
	}

	private static void check(Map<String, List<Limit>> candidates, Limit limit) {
		if (limit.hasSlots()) {
			throw refused(candidates,
					"concurrency counts calls until they end, and calls that a candidate would have denied run.");
		}
		if (limit.adaptive() != null) {
			throw refused(candidates,
					"adaptive lets max follow the load of each instance, so what a candidate would be compared with "
							+ "is not the same from call to call.");
		}
	}

	private static InvalidAttributeException refused(Map<String, List<Limit>> candidates, String reason) {
		return new InvalidAttributeException("candidates", names(candidates), reason, "Remove one of the two.");
	}

	/**
	 * Refuse a headroom that is the whole capacity of a candidate.
	 */
	static void checkCapacity(Map<String, Headroom> headroom, Map<String, List<Limit>> candidates) {
		candidates.forEach((name, limits) -> {
			try {
				HeadroomChecks.checkCapacity(headroom, limits);
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("candidates." + name + '.' + ex.location());
			}
		});
	}

}
