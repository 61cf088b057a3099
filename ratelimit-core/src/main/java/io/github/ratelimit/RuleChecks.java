package io.github.ratelimit;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/** Refusals of rules that have no meaning, each with the reason and a remedy. */
final class RuleChecks {

	private static final String COUNT_OTHERWISE = "Write `algorithm: token-bucket`, `algorithm: fixed-window`, "
			+ "`algorithm: weighted-window` or `algorithm: sliding-window`, or remove it.";

	private RuleChecks() {
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

	/** Check what the attributes of a rule mean together. */
	static void check(RateLimitRule rule) {
		List<Limit> limits = rule.limits();
		checkZones(limits);
		if (rule.prefetch() != null) {
			checkPrefetch(rule, rule.prefetch());
		}
		refuseBesideConcurrency(limits, "max-wait", rule.maxWait().isZero() ? null : DurationText.of(rule.maxWait()),
				"it is unknown when running calls end, so the wait for a slot has no length.");
		checkUnless(limits, rule.unless());
		checkSettle(limits, rule.usedUnits());
		if (!rule.candidates().isEmpty()) {
			Candidates.check(rule);
		}
		if (rule.priority() != null || !rule.headroom().isEmpty()) {
			checkHeadroom(rule);
		}
	}

	/** Refuse what has no meaning while an instance holds units. */
	private static void checkPrefetch(RateLimitRule rule, Duration prefetch) {
		for (Limit limit : rule.limits()) {
			if (limit.algorithm().isPacing()) {
				throw refusedPrefetch(prefetch,
						limit.algorithm().yamlName() + " paces calls one after the other, and units "
								+ "that an instance holds would let several pass at once.");
			}
			if (limit.minInterval() != null) {
				throw refusedPrefetch(prefetch, "min-interval keeps calls of all instances "
						+ DurationText.of(limit.minInterval()) + " apart, and units that an instance holds would not.");
			}
			if (limit.countDenied()) {
				throw refusedPrefetch(prefetch,
						"count-denied counts every denied call at once, and Redis does not see the "
								+ "calls that an instance decides.");
			}
		}
		refuseBesideConcurrency(rule.limits(), "prefetch", DurationText.of(prefetch),
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
			throw refusedHeadroom(rule.headroom(),
					"prefetch lets instances hold units, and what they hold is free for no class.");
		}
	}

	private static InvalidAttributeException refusedPrefetch(Duration prefetch, String reason) {
		return new InvalidAttributeException("prefetch", prefetch, reason,
				"Remove it, or count this rule by sliding-log, sliding-window, weighted-window, fixed-window or "
						+ "token-bucket, without min-interval and count-denied.");
	}

	/**
	 * Check that the limits of a rule have a capacity that can stay free, and calls have
	 * classes if there is an expression that selects them.
	 */
	private static void checkHeadroom(RateLimitRule rule) {
		Map<String, Headroom> headroom = rule.headroom();
		if (headroom.isEmpty()) {
			throw new InvalidAttributeException("priority", '"' + rule.priority() + '"',
					"the rule has no headroom, so all classes of calls are equal.",
					"Write what a class leaves free, `headroom.low: 30%` for example; or remove it.");
		}
		if (!rule.maxWait().isZero()) {
			throw refusedHeadroom(headroom, "max-wait " + DurationText.of(rule.maxWait())
					+ " lets calls take units of the future, which then come before those of any class.");
		}
		for (Limit limit : rule.limits()) {
			if (limit.algorithm().isPacing()) {
				throw refusedHeadroom(headroom,
						limit.algorithm().yamlName() + " has no capacity that could stay free: it paces calls.");
			}
			if (limit.countDenied()) {
				throw refusedHeadroom(headroom,
						"count-denied counts denied calls of a class in what it has to leave free.");
			}
		}
	}

	private static InvalidAttributeException refusedHeadroom(Map<String, Headroom> headroom, String reason) {
		Map.Entry<String, Headroom> first = headroom.entrySet().iterator().next();
		return new InvalidAttributeException("headroom", first.getValue(), reason,
				"Remove one of the two, or write a rule of its own for each class of calls.")
			.at("headroom." + first.getKey());
	}

	/**
	 * Refuse a headroom that is the whole capacity of a limit. Numbers that a program
	 * selects for a single call, and those of an overridden key, may leave nothing to a
	 * class.
	 */
	static void checkCapacity(RateLimitRule rule) {
		checkCapacity(rule.headroom(), rule.limits(), "");
		rule.plans().forEach((name, limits) -> checkCapacity(rule.headroom(), limits, "under the plan " + name + ' '));
		rule.candidates()
			.forEach((name, limits) -> checkCapacity(rule.headroom(), limits, Candidates.circumstance(name)));
	}

	private static void checkCapacity(Map<String, Headroom> headroom, List<Limit> limits, String circumstance) {
		headroom.forEach((ofClass, each) -> {
			for (Limit limit : limits) {
				if (each.of(limit.capacity()) >= limit.capacity()) {
					throw new InvalidAttributeException("headroom", each,
							circumstance + "no call of this class would be admitted, since the capacity is "
									+ limit.capacity() + '.',
							"Write fewer units, or a share such as 30%.")
						.at("headroom." + ofClass);
				}
			}
		});
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
	 * Refuse an attribute that has no meaning for a limit of running calls.
	 * @param value the value, or {@code null} if it is not set
	 */
	private static void refuseBesideConcurrency(List<Limit> limits, String attribute, @Nullable Object value,
			String reason) {
		if (value != null && withSlots(limits) > 0) {
			throw new InvalidAttributeException(attribute, value, reason,
					"Remove it, or write a rule of its own for the limit with the algorithm concurrency.");
		}
	}

	/** Refuse an expression that refunds units, if all limits of its rule have slots. */
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

	/** Refuse an expression of used units, if a limit cannot count what a call owes. */
	private static void checkSettle(List<Limit> limits, @Nullable String settle) {
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
	}

}
