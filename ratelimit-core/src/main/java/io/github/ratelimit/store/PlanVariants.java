package io.github.ratelimit.store;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Variants of a prepared rule under its plans. Those of named plans are prepared
 * together; those of callers with numbers of their own when they are first met.
 */
final class PlanVariants {

	static final int MOST = 10_000;

	private final RuleCounts own;

	private final Map<String, RuleCounts> named = new LinkedHashMap<>();

	private final RecentVariants<Limit> ofCallers = new RecentVariants<>(MOST);

	/**
	 * Prepare the named plans of a rule.
	 */
	PlanVariants(RuleCounts own) {
		this.own = own;
		RateLimitRule rule = own.rule();
		rule.plans().keySet().forEach((name) -> this.named.put(name, new RuleCounts(rule.underPlan(name), own, name)));
	}

	@Nullable RuleCounts find(String plan) {
		return this.named.get(plan);
	}

	/**
	 * Return the variant with the numbers of a single caller.
	 * @param inForce completes and validates the rule with these numbers
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the numbers have no
	 * meaning in the rule
	 */
	RuleCounts of(Limit numbers, UnaryOperator<RateLimitRule> inForce) {
		return this.ofCallers.of(numbers, (own) -> create(own, inForce));
	}

	private RuleCounts create(Limit numbers, UnaryOperator<RateLimitRule> inForce) {
		return new RuleCounts(inForce.apply(this.own.rule().withNumbers(numbers)), this.own, null);
	}

}
