package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Plan under which a key is looked at.
 *
 * @param rule the rule with its own numbers
 * @param plan the name as given, which the rule may not know
 */
record PlanDescription(RateLimitRule rule, @Nullable String plan) {

	/**
	 * Describe the numbers of all plans of a rule.
	 */
	static Map<String, Object> describe(RateLimitRule rule) {
		Map<String, Object> described = new LinkedHashMap<>();
		rule.plans()
			.forEach((name, limits) -> described.put(name,
					limits.stream().map((limit) -> describe(rule, limit)).toList()));
		return described;
	}

	private static Map<String, Object> describe(RateLimitRule rule, Limit limit) {
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("name", rule.nameOf(limit));
		described.put("max", limit.max());
		described.put("period", DurationText.of(limit.period()));
		if (limit.capacity() != limit.max()) {
			described.put("burst", limit.capacity());
		}
		return described;
	}

	/**
	 * Return the name of the plan, {@code null} if the rule's own numbers count.
	 */
	@Nullable String known() {
		return (this.plan != null && this.rule.plans().containsKey(this.plan)) ? this.plan : null;
	}

	void addTo(Map<String, Object> answer) {
		if (known() != null) {
			answer.put("plan", known());
		}
	}

	/**
	 * Explain in sentences which numbers count.
	 */
	List<String> explain() {
		if (this.plan == null || this.plan.isEmpty()) {
			return this.rule.plans().isEmpty() ? List.of()
					: List.of("A call may come under the plan " + String.join(", ", this.rule.plans().keySet())
							+ ": write plan=" + this.rule.plans().keySet().iterator().next()
							+ " to see its numbers. All plans share one counter per key.");
		}
		List<Limit> ofPlan = this.rule.plans().get(this.plan);
		if (ofPlan == null) {
			return List.of("The rule's own numbers count, because there is no plan " + this.plan + ". Known: "
					+ (this.rule.plans().isEmpty() ? "none" : String.join(", ", this.rule.plans().keySet())) + '.');
		}
		List<String> sentences = new ArrayList<>();
		for (int i = 0; i < ofPlan.size(); i++) {
			Limit own = this.rule.limits().get(i);
			if (!ofPlan.get(i).equals(own)) {
				sentences.add("Limit \"" + this.rule.nameOf(own) + "\" admits " + numbers(ofPlan.get(i))
						+ " instead of " + numbers(own) + ", because plan " + this.plan
						+ " says so. All plans share one counter per key.");
			}
		}
		return sentences;
	}

	private static String numbers(Limit limit) {
		return limit.max() + " per " + DurationText.of(limit.period())
				+ ((limit.capacity() != limit.max()) ? ", at most " + limit.capacity() + " at once," : "");
	}

}
