package io.github.ratelimit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.ratelimit.notation.DurationText;
import io.github.ratelimit.notation.KebabCase;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of rules that have no meaning, each with the reason and a remedy.
 */
final class RuleChecks {

	private static final Pattern NAME = Pattern.compile("[a-z0-9-]{1,100}");

	private static final Duration LONGEST_PREFETCH = Duration.ofSeconds(1);

	/**
	 * Algorithms that decide when a call may proceed, not only whether it may.
	 */
	private static final Set<Algorithm> PACING = Set.of(Algorithm.LEAKY_BUCKET, Algorithm.WARM_UP);

	private static final String COUNT_OTHERWISE = "Write `algorithm: token-bucket`, `algorithm: fixed-window`, "
			+ "`algorithm: weighted-window` or `algorithm: sliding-window`, or remove it.";

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

	static void checkClass(String name) {
		if (!isName(name)) {
			throw new InvalidAttributeException("headroom", '"' + name + '"',
					"the name of a class of calls becomes part of metric tags.",
					"Use 1 to 100 lower case letters, digits and hyphens, \"" + example(name, "low")
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

	static void checkCandidate(String name) {
		if (!isName(name)) {
			throw new InvalidAttributeException("candidates", '"' + name + '"',
					"the name of a candidate becomes part of metric tags.",
					"Use 1 to 100 lower case letters, digits and hyphens, \"" + example(name, "tight")
							+ "\" for example.");
		}
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

	/**
	 * Check what the attributes of a rule mean together.
	 * @param rule the rule
	 * @param settle the {@code settle} of the rule or of its annotation
	 */
	static void check(RateLimitRule rule, @Nullable String settle) {
		checkZones(rule.limits());
		checkPrefetch(rule.prefetch(), rule.limits());
		checkBan(rule);
		checkSlots(rule.limits(), rule.maxWait(), rule.prefetch(), rule.ban(), rule.unless());
		checkSettle(settle, rule.limits(), rule.prefetch());
		if (!rule.candidates().isEmpty()) {
			CandidateChecks.check(rule.candidates(), rule.limits(), rule.maxWait(), rule.prefetch());
		}
		if (rule.priority() != null) {
			HeadroomChecks.checkPriority(rule.priority(), rule.headroom());
		}
		if (!rule.headroom().isEmpty()) {
			HeadroomChecks.check(rule.headroom(), rule.limits(), rule.maxWait(), rule.prefetch());
		}
	}

	/**
	 * Checks that the zones of several limits are selected by the same expression, since
	 * a call is in one zone.
	 */
	private static void checkZones(List<Limit> limits) {
		String known = null;
		for (Limit limit : limits) {
			String zone = (limit.calendar() != null) ? limit.calendar().zoneExpression() : null;
			if (zone != null && known != null && !zone.equals(known)) {
				throw new InvalidAttributeException("zone", '"' + zone + '"',
						"another limit of the rule has the zone \"" + known
								+ "\", and a call of the rule is in one zone.",
						"Write the same expression, or two rules.");
			}
			known = (zone != null) ? zone : known;
		}
	}

	/**
	 * Check that the settings of a rule have a meaning if one of its limits has slots.
	 */
	private static void checkSlots(List<Limit> limits, Duration maxWait, @Nullable Duration prefetch, @Nullable Ban ban,
			@Nullable String unless) {
		if (withSlots(limits) == 0) {
			return;
		}
		if (!maxWait.isZero()) {
			throw withSlots("max-wait", DurationText.of(maxWait),
					"it is unknown when running calls end, so the wait for a slot has no length.");
		}
		if (prefetch != null) {
			throw withSlots("prefetch", DurationText.of(prefetch),
					"an instance would hold slots that no call uses, and keep them from the others.");
		}
		if (ban != null) {
			throw withSlots("ban", ban, "a key whose calls run long would be banned although it does nothing wrong.");
		}
		checkUnless(limits, unless);
	}

	/**
	 * Refuse an expression that refunds units, if all limits of its rule have slots.
	 */
	static void checkUnless(List<Limit> limits, @Nullable String unless) {
		if (unless != null && withSlots(limits) == limits.size()) {
			throw new InvalidAttributeException("unless", '"' + unless + '"',
					"a call frees its slots when it ends, however it ends.",
					"Remove it, or count calls of a period by another limit of the rule, whose units it refunds.");
		}
	}

	private static int withSlots(List<Limit> limits) {
		int count = 0;
		for (Limit limit : limits) {
			count += limit.hasSlots() ? 1 : 0;
		}
		return count;
	}

	private static InvalidAttributeException withSlots(String attribute, Object value, String reason) {
		return new InvalidAttributeException(attribute, value, reason,
				"Remove it, or write a rule of its own for the limit with the algorithm concurrency.");
	}

	static void checkPrefetchRange(@Nullable Duration prefetch) {
		if (prefetch != null
				&& (prefetch.compareTo(Duration.ofMillis(1)) < 0 || prefetch.compareTo(LONGEST_PREFETCH) > 0)) {
			throw new InvalidAttributeException("prefetch", prefetch, "it has to be between 1 ms and 1 s.",
					"Write how long an instance may hold units, `prefetch: 20ms` for example; a number without a unit "
							+ "means seconds.");
		}
	}

	private static void checkPrefetch(@Nullable Duration prefetch, List<Limit> limits) {
		if (prefetch == null) {
			return;
		}
		for (Limit limit : limits) {
			if (PACING.contains(limit.algorithm())) {
				throw notHeld(prefetch, limit.algorithm().yamlName() + " paces calls one after the other, and units "
						+ "that an instance holds would let several pass at once.");
			}
			if (limit.minInterval() != null) {
				throw notHeld(prefetch, "min-interval keeps calls of all instances "
						+ DurationText.of(limit.minInterval()) + " apart, and units that an instance holds would not.");
			}
			if (limit.countDenied()) {
				throw notHeld(prefetch, "count-denied counts every denied call at once, and Redis does not see the "
						+ "calls that an instance decides.");
			}
		}
	}

	private static InvalidAttributeException notHeld(Duration prefetch, String reason) {
		return new InvalidAttributeException("prefetch", prefetch, reason,
				"Remove it, or count this rule by sliding-log, sliding-window, weighted-window, fixed-window or "
						+ "token-bucket, without min-interval and count-denied.");
	}

	private static void checkBan(RateLimitRule rule) {
		Ban ban = rule.ban();
		if (ban == null) {
			return;
		}
		for (Limit limit : rule.limits()) {
			if (limit.countDenied()) {
				throw new InvalidAttributeException("ban", ban,
						"count-denied lets denied calls extend the wait, and a ban does not: attempts while a key is "
								+ "banned count nowhere.",
						"Remove one of the two; a ban counts denied calls by itself.");
			}
			if (rule.nameOf(limit).equals(rule.nameOfBan())) {
				throw new InvalidAttributeException("ban", ban,
						"decisions name it \"" + rule.nameOfBan() + "\", like one of the limits.",
						"Give that limit another name.");
			}
		}
	}

	static void checkExpression(String attribute, @Nullable String expression, String example) {
		if (expression != null && expression.isBlank()) {
			throw new InvalidAttributeException(attribute, '"' + expression + '"', "it is empty.",
					"In YAML quote what begins with #, `" + attribute + ": \"" + example
							+ "\"` for example; or remove it.");
		}
	}

	private static void checkSettle(@Nullable String settle, List<Limit> limits, @Nullable Duration prefetch) {
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
