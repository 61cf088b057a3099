package io.github.ratelimit.sample.playground;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;

/**
 * Rule that the lanes of a visit share if they are plans: other numbers of one rule, with
 * one counter.
 */
final class SharedRule {

	private final RateLimiterRegistry registry;

	private final String name;

	private Map<String, Plan> plans = Map.of();

	private boolean registered;

	/**
	 * Create a new rule without plans, which is not registered yet.
	 * @param name the rule to register
	 */
	SharedRule(RateLimiterRegistry registry, String name) {
		this.registry = registry;
		this.name = name;
	}

	/**
	 * Change the plan of a lane.
	 * @return the limiter whose calls come under it
	 */
	synchronized RateLimiter change(String lane, String plan, RuleForm form) {
		Map<String, Plan> changed = new LinkedHashMap<>(this.plans);
		changed.put(lane, new Plan(plan, form.numbers()));
		RateLimitRule.Builder rule = form.toBuilder(this.name);
		changed.values().forEach((each) -> rule.plan(each.name(), each.numbers()));
		RateLimiter limiter = this.registry.register(rule.build());
		this.registered = true;
		this.plans = changed;
		return limiter.withPlan(plan);
	}

	/**
	 * Remove the rule.
	 */
	synchronized void close() {
		if (this.registered) {
			this.registry.remove(this.name);
		}
	}

	/**
	 * Remove the plan of a lane that has a rule of its own now.
	 */
	synchronized void leave(String lane) {
		Map<String, Plan> changed = new LinkedHashMap<>(this.plans);
		changed.remove(lane);
		this.plans = changed;
	}

	private record Plan(String name, Limit numbers) {

	}

}
