package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.notation.DurationText;

/**
 * Definition of a plan: numbers that override those of its rule.
 *
 * @param limit the numbers for the only limit of the rule
 * @param limits those for limits of several, each with the name of one
 * @since 0.1.0
 */
public record PlanDefinition(LimitAttributes limit, List<LimitAttributes> limits) {

	/**
	 * Return the limits under this plan that differ from those of the rule.
	 * @param own the limits of the rule
	 * @throws InvalidAttributeException if the rule cannot have these numbers
	 */
	List<Limit> over(List<Limit> own) {
		if (this.limits.isEmpty()) {
			checkOneLimit(own);
			return this.limit.equals(LimitAttributes.NONE) ? List.of() : List.of(over(own.get(0), this.limit));
		}
		if (!this.limit.equals(LimitAttributes.NONE)) {
			throw new InvalidAttributeException("limits", this.limits, "the plan has numbers beside them.",
					"Write the numbers in limits only, each with the name of a limit of the rule.");
		}
		List<Limit> changed = new ArrayList<>();
		for (int i = 0; i < this.limits.size(); i++) {
			String path = "limits[" + i + "].";
			LimitAttributes numbers = this.limits.get(i);
			try {
				changed.add(over(find(own, numbers), numbers));
			}
			catch (InvalidAttributeException ex) {
				throw ex.at(path + ex.attribute());
			}
		}
		return changed;
	}

	/**
	 * Return whether the plan sets an attribute of a limit.
	 */
	boolean has(RateLimitRule rule, int index, String attribute) {
		String name = rule.limits().get(index).name();
		return this.limit.has(attribute) || this.limits.stream()
			.filter((numbers) -> rule.limits().size() == 1 || Objects.equals(name, numbers.get(LimitAttribute.NAME)))
			.anyMatch((numbers) -> numbers.has(attribute));
	}

	private void checkOneLimit(List<Limit> own) {
		if (own.size() > 1) {
			throw new InvalidAttributeException("limits", null, "the rule has several limits: " + names(own) + '.',
					"Write which of them the plan changes, `limits: [{name: " + own.get(0).name()
							+ ", max: 600}]` for example.");
		}
	}

	private static Limit find(List<Limit> own, LimitAttributes numbers) {
		String name = numbers.get(LimitAttribute.NAME);
		if (own.size() == 1 && name == null) {
			return own.get(0);
		}
		return own.stream()
			.filter((limit) -> name != null && name.equals(limit.name()))
			.findFirst()
			.orElseThrow(() -> new InvalidAttributeException("name", name,
					(own.size() > 1) ? "the rule has the limits " + names(own) + '.' : "the rule has one limit only.",
					(own.size() > 1) ? "Write one of these names." : "Write the numbers without limits, `max: 600`."));
	}

	private static Limit over(Limit own, LimitAttributes numbers) {
		if (own.adaptive() != null && numbers.get(LimitAttribute.MAX) != null) {
			throw new InvalidAttributeException("max", numbers.get(LimitAttribute.MAX),
					"adaptive of the rule derives it from the load of each instance.",
					"Change period or burst, or write another rule without adaptive.");
		}
		Duration period = numbers.get(LimitAttribute.PERIOD);
		if (own.calendar() != null && period != null) {
			throw new InvalidAttributeException("period", DurationText.of(period),
					"the limit of the rule counts by the calendar, " + own.calendar() + ", regardless of the plan.",
					"Change its max only.");
		}
		return numbers.applyTo(own);
	}

	private static String names(List<Limit> limits) {
		return String.join(", ", limits.stream().map(Limit::name).toList());
	}

}
