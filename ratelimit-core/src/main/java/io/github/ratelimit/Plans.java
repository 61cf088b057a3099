package io.github.ratelimit;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Plans of a rule: other numbers of its limits for some callers. */
final class Plans {

	private static final LimitVariants VARIANTS = new LimitVariants("plans", "it changes nothing.",
			"Write its numbers, `max: 600` for example.",
			"a plan gives other numbers to limits of the rule, once to each.");

	private Plans() {
	}

	/**
	 * Check that plans change numbers of limits of the rule and nothing else.
	 * @throws InvalidAttributeException if one does
	 */
	static void check(List<Limit> own, Map<String, List<Limit>> plans, List<ScheduledPlan> schedule) {
		for (int i = 0; i < schedule.size(); i++) {
			checkScheduled(schedule.get(i).plan(), plans, i);
			if (i > 0 && schedule.get(i - 1).holdsAlways()) {
				throw new InvalidAttributeException("schedule", '"' + schedule.get(i).plan() + '"',
						"it never holds, since the entry before it holds at any time.",
						"Write it first, or give the entry before it times, `from: \"09:00\"` for example.")
					.at("schedule[" + i + "].plan");
			}
		}
		VARIANTS.over(own, plans, (limit, numbers) -> {
			checkNumbersOnly(numbers, limit);
			return limit;
		});
	}

	/**
	 * Put the numbers of each plan over the limits of the rule, which give all else.
	 * @throws InvalidAttributeException if a plan has no meaning there
	 */
	static Map<String, List<Limit>> over(List<Limit> own, Map<String, List<Limit>> plans) {
		return VARIANTS.over(own, plans, Plans::withNumbers);
	}

	/**
	 * Return a limit with the numbers of another one that it has. An adaptive limit keeps
	 * its {@code max}.
	 */
	private static Limit withNumbers(Limit limit, Limit other) {
		Limit.Builder changed = limit.toBuilder();
		for (LimitAttribute<?> number : LimitAttribute.NUMBERS) {
			boolean followsTheLoad = number == LimitAttribute.MAX && limit.adaptive() != null;
			if (other.written(number) != null && !followsTheLoad) {
				changed.putSaid(number, other);
			}
		}
		return changed.build();
	}

	private static void checkScheduled(String plan, Map<String, List<Limit>> plans, int index) {
		if (!plans.containsKey(plan)) {
			throw new InvalidAttributeException("schedule", '"' + plan + '"', "the rule has no plan of this name.",
					plans.isEmpty() ? "Write its numbers below plans, `plans." + plan + ".max: 600` for example."
							: "Name one of these: " + String.join(", ", plans.keySet()) + '.')
				.at("schedule[" + index + "].plan");
		}
	}

	/** Checks that a rule has one limit with numbers that may change. */
	static void checkNumbers(Limit numbers, List<Limit> own, String rule) {
		if (own.size() > 1) {
			throw new InvalidAttributeException("plan", numbers,
					"rule \"" + rule + "\" has several limits, and a single Limit names none of them.",
					"Return the name of a plan.");
		}
		if (own.get(0).adaptive() != null) {
			throw new InvalidAttributeException("plan", numbers,
					"adaptive derives max of rule \"" + rule + "\" from the load of each instance.",
					"Return the name of a plan, or write another rule without adaptive.");
		}
		checkCalendar(numbers, own.get(0));
	}

	private static void checkCalendar(Limit ofPlan, Limit own) {
		if (Objects.equals(ofPlan.calendar(), own.calendar())) {
			return;
		}
		if (own.calendar() == null) {
			throw new InvalidAttributeException("calendar", ofPlan.calendar(),
					"the limit of the rule has a period, regardless of the plan.", "Write a max and a period.");
		}
		throw new InvalidAttributeException((ofPlan.calendar() != null) ? "calendar" : "period",
				(ofPlan.calendar() != null) ? ofPlan.calendar() : ofPlan.period(),
				"the limit of the rule counts by the calendar, " + own.calendar() + ", regardless of the plan.",
				"Change its max only.");
	}

	private static void checkNumbersOnly(Limit ofPlan, Limit own) {
		checkCalendar(ofPlan, own);
		for (LimitAttribute<?> attribute : LimitAttribute.all()) {
			Object changed = ofPlan.written(attribute);
			boolean mayDiffer = attribute == LimitAttribute.NAME || LimitAttribute.NUMBERS.contains(attribute)
					|| LimitAttribute.OF_CALENDARS.contains(attribute);
			if (changed != null && !mayDiffer && !changed.equals(own.written(attribute))) {
				throw new InvalidAttributeException(attribute.name(), LimitAttribute.text(changed),
						"a plan changes max, period and burst only; all else is the rule's, regardless of the plan.",
						"Remove it, or set it on the rule.");
			}
		}
		Long max = ofPlan.written(LimitAttribute.MAX);
		if (own.adaptive() != null && max != null && !max.equals(own.written(LimitAttribute.MAX))) {
			throw new InvalidAttributeException("max", max,
					"adaptive of the rule derives it from the load of each instance.",
					"Change period or burst, or write another rule without adaptive.");
		}
	}

}
