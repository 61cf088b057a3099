package io.github.ratelimit;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Plans of a rule: other numbers of its limits for some callers, and the expression that
 * selects one. Immutable.
 *
 * @param expression the SpEL expression, or {@code null} if there is none
 * @param annotated whether annotations have such expressions
 * @param limits the limits under each plan, by the name of the plan in declared order
 * @param schedule the plans of calls that select none, by time
 * @param complete whether they stay as they are, since the rule itself has the numbers of
 * a plan
 */
record Plans(@Nullable String expression, boolean annotated, Map<String, List<Limit>> limits,
		List<ScheduledPlan> schedule, boolean complete) {

	static final Plans NONE = new Plans(null, false, Map.of(), List.of(), false);

	boolean isEmpty() {
		return this.expression == null && !this.annotated && this.limits.isEmpty();
	}

	Plans withExpression(@Nullable String changed) {
		return new Plans(changed, this.annotated, this.limits, this.schedule, this.complete);
	}

	Plans withSchedule(List<ScheduledPlan> changed) {
		return new Plans(this.expression, this.annotated, this.limits, List.copyOf(changed), this.complete);
	}

	Plans withAnnotation() {
		return new Plans(this.expression, true, this.limits, this.schedule, this.complete);
	}

	/**
	 * Return these plans for a rule that has the numbers of one of them, at any time.
	 */
	Plans completed() {
		return new Plans(this.expression, this.annotated, this.limits, List.of(), true);
	}

	/**
	 * Add a plan, or replace that of the same name.
	 */
	Plans with(String name, List<Limit> ofPlan) {
		Map<String, List<Limit>> changed = new LinkedHashMap<>(this.limits);
		changed.put(name, List.copyOf(ofPlan));
		return new Plans(this.expression, this.annotated, Collections.unmodifiableMap(changed), this.schedule,
				this.complete);
	}

	/**
	 * Check that the plans change numbers of limits of the rule and nothing else.
	 * @throws InvalidAttributeException if one does
	 */
	void check(List<Limit> own) {
		for (int i = 0; i < this.schedule.size(); i++) {
			PlanChecks.checkScheduled(this.schedule.get(i).plan(), this.limits.keySet(), i);
		}
		for (Map.Entry<String, List<Limit>> plan : this.limits.entrySet()) {
			List<Limit> ofPlan = plan.getValue();
			PlanChecks.checkLimits(plan.getKey(), ofPlan, own);
			for (Limit limit : own) {
				Limit numbers = find(limit, ofPlan, own);
				if (numbers != null) {
					located(plan.getKey(), ofPlan, numbers, () -> PlanChecks.checkNumbersOnly(numbers, limit));
				}
			}
		}
	}

	/**
	 * Put the numbers of each plan over the limits of the rule, which give all else.
	 * @throws InvalidAttributeException if a plan has no meaning there
	 */
	Plans over(List<Limit> own) {
		if (this.complete) {
			return this;
		}
		Plans all = this;
		for (Map.Entry<String, List<Limit>> plan : this.limits.entrySet()) {
			List<Limit> limits = over(own, plan.getKey(), plan.getValue());
			all = limits.equals(plan.getValue()) ? all : all.with(plan.getKey(), limits);
		}
		return all;
	}

	private static List<Limit> over(List<Limit> own, String name, List<Limit> ofPlan) {
		PlanChecks.checkLimits(name, ofPlan, own);
		List<Limit> all = new ArrayList<>();
		for (Limit limit : own) {
			Limit numbers = find(limit, ofPlan, own);
			if (numbers == null) {
				all.add(limit);
			}
			else {
				located(name, ofPlan, numbers, () -> all.add(withNumbers(limit, numbers)));
			}
		}
		return all;
	}

	private static @Nullable Limit find(Limit limit, List<Limit> ofPlan, List<Limit> own) {
		return ofPlan.stream()
			.filter((numbers) -> own.size() == 1 || Objects.equals(numbers.name(), limit.name()))
			.findFirst()
			.orElse(null);
	}

	private static void located(String name, List<Limit> ofPlan, Limit numbers, Runnable step) {
		try {
			step.run();
		}
		catch (InvalidAttributeException ex) {
			String limit = (numbers.name() != null) ? "limits[" + ofPlan.indexOf(numbers) + "]." : "";
			throw ex.at("plans." + name + '.' + limit + ex.attribute());
		}
	}

	/**
	 * Change each limit of each plan.
	 */
	Plans map(UnaryOperator<Limit> change) {
		Plans changed = this;
		for (Map.Entry<String, List<Limit>> plan : this.limits.entrySet()) {
			changed = changed.with(plan.getKey(), plan.getValue().stream().map(change).toList());
		}
		return changed;
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

}
