package io.github.ratelimit;

import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Refusals of plans that have no meaning, each with the reason and a remedy.
 */
final class PlanChecks {

	private PlanChecks() {
	}

	static void checkName(String name) {
		if (!RuleChecks.isName(name)) {
			throw new InvalidAttributeException("plans", '"' + name + '"',
					"the name of a plan becomes part of metric tags.",
					"Use 1 to 100 lower case letters, digits and hyphens, \"" + RuleChecks.example(name, "pro")
							+ "\" for example.");
		}
	}

	static void checkExpression(@Nullable String expression) {
		if (expression != null && expression.isBlank()) {
			throw new InvalidAttributeException("plan", '"' + expression + '"', "it is empty, so no call has a plan.",
					"In YAML quote what begins with # or @, `plan: \"@plans.of(#tenant)\"` for example; or remove it.");
		}
	}

	static void checkScheduled(String plan, Set<String> known, int index) {
		if (!known.contains(plan)) {
			throw new InvalidAttributeException("schedule", '"' + plan + '"', "the rule has no plan of this name.",
					known.isEmpty() ? "Write its numbers below plans, `plans." + plan + ".max: 600` for example."
							: "Name one of these: " + String.join(", ", known) + '.')
				.at("schedule[" + index + "].plan");
		}
	}

	static void checkLimits(String plan, List<Limit> ofPlan, List<Limit> own) {
		if (ofPlan.isEmpty()) {
			throw new InvalidAttributeException("plans." + plan, "[]", "it changes nothing.",
					"Write its numbers, `max: 600` for example.");
		}
		if (own.size() == 1) {
			checkSingle(plan, ofPlan, own.get(0));
		}
		else {
			checkNames(plan, ofPlan, own);
		}
	}

	private static void checkSingle(String plan, List<Limit> ofPlan, Limit own) {
		if (ofPlan.size() > 1) {
			throw new InvalidAttributeException("plans." + plan + ".limits", ofPlan, "the rule has one limit only.",
					"Write its numbers, `max: 600` for example.");
		}
		String name = ofPlan.get(0).name();
		if (name != null && !name.equals(own.name())) {
			throw new InvalidAttributeException("plans." + plan + ".limits[0].name", name,
					"the rule has one limit only.", "Leave the name out.");
		}
	}

	private static void checkNames(String plan, List<Limit> ofPlan, List<Limit> own) {
		String known = own.stream().map(Limit::name).collect(Collectors.joining(", "));
		Set<String> names = new HashSet<>();
		for (int i = 0; i < ofPlan.size(); i++) {
			String name = ofPlan.get(i).name();
			if (own.stream().noneMatch((limit) -> Objects.equals(limit.name(), name)) || !names.add(name)) {
				throw new InvalidAttributeException("plans." + plan + ".limits[" + i + "].name", name,
						"a plan gives other numbers to limits of the rule, once to each.",
						"Name one of these: " + known + '.');
			}
		}
	}

	/**
	 * Checks that a rule has one limit with numbers that may change.
	 */
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

	/**
	 * Checks that a plan leaves the calendar of a limit.
	 */
	private static void checkCalendar(Limit ofPlan, Limit own) {
		if (Objects.equals(ofPlan.calendar(), own.calendar())) {
			return;
		}
		if (own.calendar() == null) {
			throw new InvalidAttributeException("calendar", ofPlan.calendar(),
					"the limit of the rule has a period, regardless of the plan.", "Write a max and a period.");
		}
		throw new InvalidAttributeException((ofPlan.calendar() != null) ? "calendar" : "period",
				(ofPlan.calendar() != null) ? ofPlan.calendar() : DurationText.of(ofPlan.period()),
				"the limit of the rule counts by the calendar, " + own.calendar() + ", regardless of the plan.",
				"Change its max only.");
	}

	/**
	 * Checks that a plan changes numbers only.
	 */
	static void checkNumbersOnly(Limit ofPlan, Limit own) {
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
