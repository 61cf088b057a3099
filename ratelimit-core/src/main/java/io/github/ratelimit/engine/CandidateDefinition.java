package io.github.ratelimit.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;

/**
 * Definition of a candidate: what differs from the limits of its rule.
 *
 * @param limit what differs from the only limit of the rule
 * @param limits what differs from limits of several, each with the name of one
 * @since 0.1.0
 */
public record CandidateDefinition(LimitAttributes limit, List<LimitAttributes> limits) {

	/**
	 * Add candidates to a rule that has its limits.
	 * @throws InvalidAttributeException if one does not fit
	 */
	static void add(Map<String, CandidateDefinition> candidates, RateLimitRule.Builder rule) {
		if (!candidates.isEmpty()) {
			List<Limit> own = rule.build().limits();
			candidates.forEach((name, candidate) -> {
				try {
					rule.candidate(name, candidate.over(own));
				}
				catch (InvalidAttributeException ex) {
					throw ex.location().startsWith("candidates") ? ex
							: ex.at("candidates." + name + '.' + ex.location());
				}
			});
		}
	}

	/**
	 * Return the limits that are tried, without what else they have of the rule.
	 * @param own the limits of the rule
	 * @throws InvalidAttributeException if a value is out of range or has no effect
	 */
	public List<Limit> over(List<Limit> own) {
		if (this.limits.isEmpty()) {
			if (own.size() > 1 && !this.limit.equals(LimitAttributes.NONE)) {
				throw new InvalidAttributeException("limits", null, "the rule has several limits: " + names(own) + '.',
						"Write which of them the candidate changes, `limits: [{name: " + own.get(0).name()
								+ ", max: 5}]` for example.");
			}
			return this.limit.equals(LimitAttributes.NONE) ? List.of() : List.of(over(own.get(0), this.limit));
		}
		if (!this.limit.equals(LimitAttributes.NONE)) {
			throw new InvalidAttributeException("limits", this.limits, "the candidate has values beside them.",
					"Write the values in limits only, each with the name of a limit of the rule.");
		}
		List<Limit> tried = new ArrayList<>();
		for (int i = 0; i < this.limits.size(); i++) {
			try {
				tried.add(over(find(own, this.limits.get(i)), this.limits.get(i)));
			}
			catch (InvalidAttributeException ex) {
				throw ex.at("limits[" + i + "]." + ex.attribute());
			}
		}
		return tried;
	}

	private static Limit find(List<Limit> own, LimitAttributes attributes) {
		String name = attributes.get(LimitAttribute.NAME);
		return own.stream()
			.filter((limit) -> name != null && name.equals(limit.name()))
			.findFirst()
			.orElseThrow(() -> new InvalidAttributeException("name", name,
					(own.size() > 1) ? "the rule has the limits " + names(own) + '.' : "the rule has one limit only.",
					(own.size() > 1) ? "Write one of these names." : "Write the values without limits, `max: 5`."));
	}

	/**
	 * Complete what a limit has to have. All else is completed with the rule.
	 */
	private static Limit over(Limit own, LimitAttributes attributes) {
		LimitAttributes complete = (attributes.get(LimitAttribute.MAX) != null) ? attributes
				: attributes.with(LimitAttribute.MAX, own.max());
		if (own.hasSlots() || attributes.get(LimitAttribute.ALGORITHM) == Algorithm.CONCURRENCY) {
			return Limit.ofConcurrency(own.max());
		}
		if (attributes.get(LimitAttribute.PERIOD) == null && attributes.get(LimitAttribute.CALENDAR) == null) {
			for (LimitAttribute<?> attribute : LimitAttribute.OF_CALENDARS) {
				complete = withCalendar(complete, attribute, own);
			}
			complete = (own.calendar() != null) ? complete : complete.with(LimitAttribute.PERIOD, own.period());
		}
		return complete.toLimit();
	}

	private static <T> LimitAttributes withCalendar(LimitAttributes attributes, LimitAttribute<T> attribute,
			Limit own) {
		return (own.calendar() != null && attributes.get(attribute) == null)
				? attributes.with(attribute, own.get(attribute)) : attributes;
	}

	private static String names(List<Limit> limits) {
		return String.join(", ", limits.stream().map(Limit::name).toList());
	}

}
