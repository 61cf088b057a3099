package io.github.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.notation.DurationText;

/** Limits that are tried beside those of a rule. */
final class Candidates {

	/**
	 * Attributes that a candidate with another algorithm does not have from the rule,
	 * although several algorithms have them.
	 */
	private static final Set<LimitAttribute<?>> OF_AN_ALGORITHM = Set.of(LimitAttribute.BURST,
			LimitAttribute.COUNT_DENIED);

	/** Most candidates of a rule. Each costs about as much of the store as a rule. */
	private static final int MOST = 4;

	private static final String COUNTS_UNTIL_THE_END = "counts calls until they end, and calls that a candidate would "
			+ "have denied run.";

	private static final LimitVariants VARIANTS = new LimitVariants("candidates", "it tries nothing.",
			"Write what differs from the rule, `max: 5` for example.",
			"a candidate tries other numbers of limits of the rule, once of each.");

	private Candidates() {
	}

	/**
	 * Complete candidates by the limits of their rule.
	 * @param candidates what is tried, by the name of the candidate
	 * @return as many limits as the rule has, for each candidate
	 * @throws InvalidAttributeException if a candidate does not fit
	 */
	static Map<String, List<Limit>> over(List<Limit> own, Map<String, List<Limit>> candidates) {
		return VARIANTS.over(own, candidates, Candidates::over);
	}

	private static Limit over(Limit own, Limit tried) {
		if (own.hasSlots()) {
			return tried;
		}
		if (tried.hasSlots()) {
			throw new InvalidAttributeException("algorithm", tried.algorithm().yamlName(), "it " + COUNTS_UNTIL_THE_END,
					"Write another algorithm, or leave it out to count by that of the rule.");
		}
		Limit.Builder completed = tried.toBuilder();
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			if (tried.written(attribute) == null && mayHave(tried, attribute, own)) {
				completed.putSaid(attribute, own);
			}
		}
		if (tried.algorithm() == Algorithm.DEFAULT) {
			completed.algorithm(own.algorithm());
		}
		return completed.build();
	}

	/** Return whether a candidate may have an attribute from its rule. */
	private static boolean mayHave(Limit tried, LimitAttribute<?> attribute, Limit own) {
		if (attribute == LimitAttribute.ALGORITHM) {
			return tried.algorithm() == Algorithm.DEFAULT;
		}
		LimitCalendar calendar = tried.calendar();
		if (LimitAttribute.OF_CALENDARS.contains(attribute)) {
			return calendar != null && calendar.has(attribute);
		}
		if (calendar != null && (attribute == LimitAttribute.PERIOD || attribute == LimitAttribute.ALIGN)) {
			return false;
		}
		boolean isOther = tried.algorithm() != Algorithm.DEFAULT && tried.algorithm() != own.algorithm();
		return !isOther || attribute.algorithms().isEmpty()
				|| !OF_AN_ALGORITHM.contains(attribute) && attribute.algorithms().contains(tried.algorithm());
	}

	/** Check that the candidates of a rule are decided independently of its limits. */
	static void check(RateLimitRule rule) {
		Set<String> names = rule.candidates().keySet();
		if (names.size() > MOST) {
			throw new InvalidAttributeException("candidates", text(names),
					"a rule tries at most " + MOST + " candidates, since every call is counted for each of them.",
					"Remove some of them.");
		}
		if (!rule.maxWait().isZero()) {
			throw refused(names, "max-wait " + DurationText.of(rule.maxWait())
					+ " lets calls wait, and how long calls of a candidate would have waited is unknown.");
		}
		rule.limits().forEach((limit) -> check(names, limit));
		rule.candidates().values().forEach((limits) -> limits.forEach((limit) -> check(names, limit)));
		names.forEach((name) -> located(name, () -> {
			rule.candidates().get(name).forEach((limit) -> checkZone(rule, limit));
			rule.ofCandidate(name);
		}));
	}

	/** Check that a candidate selects the zone of a call as its rule does. */
	private static void checkZone(RateLimitRule rule, Limit limit) {
		String zone = (limit.calendar() != null) ? limit.calendar().zoneExpression() : null;
		if (zone != null && !zone.equals(rule.zone())) {
			throw new InvalidAttributeException("zone", '"' + zone + '"',
					"a call of the rule is in one zone, also for candidates.",
					"Write the expression as the zone of the rule, or a time zone, Asia/Tokyo for example.");
		}
	}

	private static void check(Set<String> names, Limit limit) {
		if (limit.hasSlots()) {
			throw refused(names, "concurrency " + COUNTS_UNTIL_THE_END);
		}
		if (limit.adaptive() != null) {
			throw refused(names,
					"adaptive lets max follow the load of each instance, so what a candidate would be compared with "
							+ "is not the same from call to call.");
		}
	}

	static InvalidAttributeException refused(Set<String> names, String reason) {
		return new InvalidAttributeException("candidates", text(names), reason, "Remove one of the two.");
	}

	private static String text(Set<String> names) {
		return names.stream().sorted().collect(Collectors.joining(", "));
	}

	/** Return the beginning of a reason that holds for a candidate alone. */
	static String circumstance(String name) {
		return "with the candidate " + name + ' ';
	}

	/** Locate what is wrong with a candidate. Its rule may have what does not fit. */
	private static void located(String name, Runnable check) {
		try {
			check.run();
		}
		catch (InvalidAttributeException ex) {
			boolean isOfRule = RuleAttribute.all().stream().anyMatch((each) -> each.name().equals(ex.attribute()));
			throw isOfRule ? ex.under(circumstance(name)) : ex.at("candidates." + name + '.' + ex.location());
		}
	}

}
