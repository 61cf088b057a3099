package io.github.ratelimit.engine;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;
import org.jspecify.annotations.Nullable;

/**
 * Plans of a rule as one source defines them.
 *
 * @param expression the expression that selects the plan of a call, or {@code null} if it
 * is not set
 * @param byName the plans by their names, in declared order
 * @param schedule the plans of calls that select none, by time
 * @since 0.1.0
 */
public record PlanSection(@Nullable String expression, Map<String, PlanDefinition> byName,
		List<ScheduledPlan> schedule) {

	/**
	 * No plans.
	 */
	public static final PlanSection NONE = new PlanSection(null, Map.of(), List.of());

	/**
	 * Create new definitions.
	 * @param expression the expression, or {@code null}
	 * @param byName the plans by their names
	 * @param schedule the plans of calls that select none
	 */
	public PlanSection {
		byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
		schedule = List.copyOf(schedule);
	}

	/**
	 * Add the plans to a rule that has its limits.
	 * @throws InvalidAttributeException if a plan does not fit
	 */
	void addTo(RateLimitRule.Builder rule) {
		if (this.expression != null) {
			rule.plan(this.expression);
		}
		if (!this.byName.isEmpty()) {
			addPlansTo(rule, rule.build().limits());
		}
		if (!this.schedule.isEmpty()) {
			rule.schedule(this.schedule.toArray(ScheduledPlan[]::new));
		}
	}

	private void addPlansTo(RateLimitRule.Builder rule, List<Limit> own) {
		this.byName.forEach((name, plan) -> {
			try {
				rule.plan(name, plan.over(own));
			}
			catch (InvalidAttributeException ex) {
				throw ex.location().startsWith("plans") ? ex : ex.at("plans." + name + '.' + ex.location());
			}
		});
	}

}
