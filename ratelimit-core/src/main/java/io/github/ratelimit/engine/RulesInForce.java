package io.github.ratelimit.engine;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.adaptive.LoadAdaptation;
import io.github.ratelimit.store.Correction;
import io.github.ratelimit.store.Demand;
import io.github.ratelimit.store.Demands;
import io.github.ratelimit.store.RuleCounts;
import io.github.ratelimit.store.RuleVariants;
import org.jspecify.annotations.Nullable;

/**
 * Rules in force. The units of a call are refunded under these rules, not under the rule
 * that the call came with: an older limit would drop units that were counted since.
 */
final class RulesInForce {

	private final Supplier<LoadAdaptation> loadAdaptation;

	private final VerdictSource verdicts;

	private final Map<String, RuleCounts> rules = new ConcurrentHashMap<>();

	/**
	 * Create an instance without rules.
	 * @param loadAdaptation returns the rules under the current load
	 * @param verdicts the numbers of single keys
	 */
	RulesInForce(Supplier<LoadAdaptation> loadAdaptation, VerdictSource verdicts) {
		this.loadAdaptation = loadAdaptation;
		this.verdicts = verdicts;
	}

	/** Put a rule into force, instead of an earlier one of the same name. */
	void put(RuleCounts counts) {
		RateLimitRule rule = counts.rule();
		if (rule.isAdaptive() || isAdaptive(this.rules.get(rule.name()))) {
			this.loadAdaptation.get().follow(rule);
		}
		this.rules.put(rule.name(), counts);
	}

	void remove(String rule) {
		if (isAdaptive(this.rules.remove(rule))) {
			this.loadAdaptation.get().forget(rule);
		}
	}

	private static boolean isAdaptive(@Nullable RuleCounts counts) {
		return counts != null && counts.rule().isAdaptive();
	}

	/**
	 * Return the demands of a call under the current load and with the numbers of its
	 * keys.
	 */
	Demands now(Demands demands) {
		return demands.map((demand) -> demand.counts().isFixed() ? this.verdicts.withNumbers(demand.withPriority(null))
				: now(demand).belowHeadroom());
	}

	Demand now(Demand demand) {
		Demand planned = demand.rule().schedule().isEmpty() ? demand
				: demand.withCounts(RuleVariants.of(demand.counts()).scheduled(timeOfStore()));
		return this.verdicts
			.withNumbers(planned.rule().isAdaptive() ? planned.withCounts(now(planned.counts())) : planned);
	}

	ZonedDateTime timeOfStore() {
		return Instant.EPOCH.plus(this.verdicts.now(), ChronoUnit.MICROS).atZone(ZoneOffset.UTC);
	}

	private RuleCounts now(RuleCounts counts) {
		RuleCounts own = RuleVariants.of(counts).original();
		RuleCounts now = RuleVariants.of(own).with(this.loadAdaptation.get().now(own.rule()));
		return RuleVariants.of(now).underPlanOf(counts);
	}

	/**
	 * Return corrections of the same units by the rules in force, instead of those that
	 * the call came with.
	 */
	List<Correction> corrections(List<Correction> corrections) {
		return corrections.stream().map((each) -> each.withDemand(current(each.demand()))).toList();
	}

	/**
	 * Return a demand of the rule in force if its limits are those of the call, perhaps
	 * with other numbers. Otherwise the call's own rule gets the limits that both have,
	 * unless these contradict what else it has.
	 */
	private Demand current(Demand demand) {
		RateLimitRule original = demand.rule();
		RuleCounts registered = this.rules.get(original.name());
		if (registered == null || demand.counts().candidateId() != null) {
			return demand;
		}
		Demand inForce = now(demand.withCounts(RuleVariants.of(registered).underPlanOf(demand.counts())));
		List<Limit> limits = inForce.rule().limits();
		if (limits.equals(original.limits())) {
			return inForce;
		}
		List<Limit> current = original.limits()
			.stream()
			.map((limit) -> inForce(limit, original, inForce.rule()))
			.toList();
		try {
			return current.equals(limits) ? inForce : demand.withCounts(RuleCounts.of(original.withLimits(current)));
		}
		catch (RateLimitConfigurationException ex) {
			return demand;
		}
	}

	/**
	 * Return the limit in force of the same name. A limit that was removed, or has
	 * another algorithm now, has counted nothing since and stays as it was.
	 */
	private static Limit inForce(Limit limit, RateLimitRule original, RateLimitRule rule) {
		String name = original.nameOf(limit);
		return rule.limits()
			.stream()
			.filter((other) -> rule.nameOf(other).equals(name) && other.algorithm() == limit.algorithm())
			.findFirst()
			.orElse(limit);
	}

}
