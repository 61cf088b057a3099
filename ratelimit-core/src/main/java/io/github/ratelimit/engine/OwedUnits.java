package io.github.ratelimit.engine;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.LimitOutcome;
import io.github.ratelimit.store.RuleAnswer;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;

/**
 * Units of a key beyond its limits, which settled calls took, or calls with larger
 * limits. No state contains their number. A second peek at the same counts, by limits
 * large enough to hold them, shows how many there are.
 */
final class OwedUnits {

	/** Longest time in which a bucket may refill. */
	private static final Duration LONGEST_REFILL = Limit.MAX_PERIOD.multipliedBy(10);

	private OwedUnits() {
	}

	/**
	 * Find the units that a key owes.
	 * @param peeked the answer to a call of the key
	 * @param store answers a peek
	 * @return the units by the name of the limit; none of rules with plans, whose counts
	 * may be those of a larger plan
	 */
	static Map<String, Long> of(RuleAnswer peeked, Function<Demand, RuleAnswer> store) {
		RateLimitRule rule = RuleVariants.of(peeked.demand().counts()).withoutClass().rule();
		if (!rule.maySettle() || rule.hasPlans() || peeked.outcomes().stream().allMatch(LimitOutcome::admitted)) {
			return Map.of();
		}
		RateLimitRule wide = rule.withEachLimit(OwedUnits::widened);
		List<LimitOutcome> counted = store.apply(new Demand(RuleCounts.of(wide), peeked.demand().key(), 1, 0))
			.outcomes();
		Map<String, Long> owed = new LinkedHashMap<>();
		for (int i = 0; i < counted.size(); i++) {
			Limit limit = rule.limits().get(i);
			long used = wide.limits().get(i).capacity() - counted.get(i).remaining();
			if (isOwed(peeked.outcomes().get(i), counted.get(i)) && used > limit.capacity()) {
				owed.put(rule.nameOf(limit), used - limit.capacity());
			}
		}
		return owed;
	}

	private static boolean isOwed(LimitOutcome peeked, LimitOutcome counted) {
		return !peeked.admitted() && counted.admitted();
	}

	private static Limit widened(Limit limit) {
		if (!limit.algorithm().hasDebt()) {
			return limit;
		}
		if (limit.algorithm() != Algorithm.TOKEN_BUCKET) {
			return limit.withMax(Limit.MAX_UNITS);
		}
		long refills = LONGEST_REFILL.dividedBy(limit.period());
		return limit.withBurst(Math.min(Limit.MAX_UNITS, limit.max() * Math.min(refills, Limit.MAX_UNITS)));
	}

}
