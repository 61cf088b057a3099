package io.github.ratelimit.store;

import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * Variants of a prepared rule, by what a call has or selects: a plan, numbers of its own,
 * a time zone or a class. Those of named plans are prepared together; all others when
 * they are first met.
 */
final class RuleVariants {

	private static final int MOST_NUMBERS = 10_000;

	/**
	 * Bound on the prepared time zones. There are fewer names, but any number of offsets.
	 */
	private static final int MOST_ZONES = 1_000;

	private final RuleCounts counts;

	private final Map<String, RuleCounts> plans = new HashMap<>();

	private final Map<String, RuleCounts> classes = new ConcurrentHashMap<>();

	private final RecentVariants<Limit> numbers = new RecentVariants<>(MOST_NUMBERS);

	private final RecentVariants<ZoneId> zones = new RecentVariants<>(MOST_ZONES);

	RuleVariants(RuleCounts counts) {
		this.counts = counts;
		if (counts.own() == counts) {
			RateLimitRule rule = counts.rule();
			rule.plans()
				.keySet()
				.forEach((name) -> this.plans.put(name, counts.preparePlan(rule.underPlan(name), name)));
		}
	}

	@Nullable RuleCounts under(String plan) {
		return this.plans.get(plan);
	}

	/**
	 * Return the variant with the numbers of a single caller.
	 * @param inForce completes and validates the rule with these numbers
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the numbers have no
	 * meaning in the rule
	 */
	RuleCounts under(Limit numbers, UnaryOperator<RateLimitRule> inForce) {
		return this.numbers.of(numbers,
				(own) -> this.counts.preparePlan(inForce.apply(this.counts.rule().withNumbers(own)), null));
	}

	RuleCounts inZone(ZoneId zone) {
		return this.zones.of(zone, this.counts::prepareZone);
	}

	RuleCounts below(String priority) {
		RuleCounts known = this.classes.get(priority);
		return (known != null) ? known : this.classes.computeIfAbsent(priority, this.counts::prepareClass);
	}

}
