package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.ratelimit.CalendarUnit;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitCalendar;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.ScheduledPlan;
import org.jspecify.annotations.Nullable;

/** Plan under which a key is peeked. */
record PlanDescription(RateLimitRule rule, @Nullable String plan, @Nullable ScheduledPlan scheduled,
		Set<String> expressions, Function<@Nullable String, List<Limit>> ofKey) {

	static Map<String, Object> describe(RateLimitRule rule) {
		Map<String, Object> described = new LinkedHashMap<>();
		rule.plans()
			.forEach((name, limits) -> described.put(name,
					limits.stream().map((limit) -> describe(rule, limit)).toList()));
		return described;
	}

	private static Map<String, Object> describe(RateLimitRule rule, Limit limit) {
		CalendarUnit calendar = unit(limit);
		return Fields.of("name", rule.nameOf(limit))
			.with("max", limit.max())
			.with((calendar != null) ? "calendar" : "period",
					limit.period().isZero() ? null : EndpointFormat.window(calendar, limit.period()))
			.with("burst", (limit.capacity() != limit.max()) ? (Long) limit.capacity() : null)
			.toMap();
	}

	static List<Map<String, Object>> schedule(RateLimitRule rule) {
		return rule.schedule().stream().map(PlanDescription::describe).toList();
	}

	private static List<String> days(ScheduledPlan entry) {
		return entry.days()
			.stream()
			.sorted()
			.map((day) -> day.name().toLowerCase(Locale.ROOT).substring(0, 3))
			.toList();
	}

	private static Map<String, Object> describe(ScheduledPlan each) {
		return Fields.of("plan", each.plan())
			.with("days", days(each))
			.with("from", each.from().toString())
			.with("to", each.to().toString())
			.with("zone", each.zone().getId())
			.toMap();
	}

	@Nullable String known() {
		return isNamed() ? this.plan : (this.scheduled != null) ? this.scheduled.plan() : null;
	}

	private boolean isNamed() {
		return this.plan != null && this.rule.plans().containsKey(this.plan);
	}

	void addTo(Map<String, Object> answer) {
		if (known() != null) {
			answer.put("plan", known());
		}
		if (!isNamed() && this.scheduled != null) {
			answer.put("scheduled", describe(this.scheduled));
		}
	}

	/**
	 * Explain in sentences which numbers count. Of a key with an override the plans may
	 * change nothing.
	 */
	List<String> explain() {
		List<Limit> own = this.ofKey.apply(null);
		if (this.plan == null || this.plan.isEmpty()) {
			return Stream.concat(explainSchedule(), explainPlans(own)).toList();
		}
		if (!isNamed()) {
			return Stream.concat(explainUnknown().stream(), explainSchedule()).toList();
		}
		List<Limit> ofPlan = this.ofKey.apply(this.plan);
		List<String> sentences = new ArrayList<>();
		for (int i = 0; i < own.size(); i++) {
			if (!ofPlan.get(i).equals(own.get(i))) {
				sentences.add("Limit \"" + this.rule.nameOf(own.get(i)) + "\" admits " + numbers(ofPlan.get(i))
						+ " instead of " + numbers(own.get(i)) + " under plan " + this.plan
						+ ". All plans share one counter per key.");
			}
		}
		return sentences;
	}

	private Stream<String> explainSchedule() {
		return Stream.ofNullable(this.scheduled)
			.map((entry) -> "Calls that select no plan come under plan " + entry.plan() + " now, because entry "
					+ this.rule.schedule().indexOf(entry) + " of the schedule holds: " + text(entry) + '.');
	}

	static String text(ScheduledPlan entry) {
		return String.join(", ", days(entry)) + " from " + entry.from() + " to " + entry.to() + ' '
				+ entry.zone().getId();
	}

	private Stream<String> explainPlans(List<Limit> own) {
		if (isByExpressionAlone(own)) {
			return Stream.of(explainExpression());
		}
		return this.rule.plans()
			.keySet()
			.stream()
			.filter((name) -> !this.ofKey.apply(name).equals(own))
			.limit(1)
			.map((name) -> "A call may come under the plan " + String.join(" or ", this.rule.plans().keySet())
					+ ": write plan=" + name + " to see its numbers. All plans share one counter per key.");
	}

	/**
	 * Return whether the only other numbers are those that expressions return. Of a key
	 * with an override they change nothing.
	 */
	private boolean isByExpressionAlone(List<Limit> own) {
		return this.rule.plans().isEmpty() && !this.expressions.isEmpty() && own.equals(this.rule.limits());
	}

	private String explainExpression() {
		return "A call may come with other numbers, by the plan " + String.join(" or ", this.expressions)
				+ ", which is not evaluated here.";
	}

	List<String> explainUnknown() {
		if (this.plan == null || this.plan.isEmpty() || isNamed()) {
			return List.of();
		}
		List<Limit> own = this.ofKey.apply(null);
		if (isByExpressionAlone(own)) {
			return List.of(explainExpression());
		}
		String known = this.rule.plans().isEmpty() ? "none" : String.join(", ", this.rule.plans().keySet());
		return List.of((own.equals(this.rule.limits()) ? "The rule's own numbers count, because there" : "There")
				+ " is no plan " + this.plan + ". Known: " + known + '.');
	}

	private static @Nullable CalendarUnit unit(Limit limit) {
		LimitCalendar calendar = limit.calendar();
		return (calendar != null) ? calendar.unit() : null;
	}

	private static String numbers(Limit limit) {
		return EndpointFormat.numbers(limit.max(), unit(limit), limit.period())
				+ ((limit.capacity() != limit.max()) ? ", at most " + limit.capacity() + " at once," : "");
	}

}
