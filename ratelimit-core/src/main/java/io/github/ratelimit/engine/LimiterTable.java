package io.github.ratelimit.engine;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;

/**
 * Limiters of the rules in force: each rule as it is written, completed by the defaults
 * and overridden at run time.
 *
 * <p>
 * The rule as it is written stays beside the rule in force, which is derived anew when
 * either changes. So the environment, programs and operators change rules in any order,
 * and an override also applies to rules that are defined later.
 */
final class LimiterTable {

	private final RateLimitEngine engine;

	private final Algorithm defaultAlgorithm;

	private final Mode defaultMode;

	private final OverriddenRules overridden = new OverriddenRules();

	/** Names of the rules whose plans annotations select. */
	private final Set<String> planned = ConcurrentHashMap.newKeySet();

	/** Rules whose calls annotations settle, without their other values. */
	private final Map<String, UnaryOperator<RateLimitRule>> settled = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, RuleLimiter> limiters = new ConcurrentSkipListMap<>();

	LimiterTable(RateLimitEngine engine, Algorithm defaultAlgorithm, Mode defaultMode) {
		this.engine = engine;
		this.defaultAlgorithm = defaultAlgorithm;
		this.defaultMode = defaultMode;
		engine.whenGatesChange(this::refresh);
	}

	/**
	 * Put a rule into force, instead of an earlier one of the same name.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule is invalid
	 */
	synchronized RuleLimiter put(RateLimitRule rule) {
		RateLimitRule complete = rule.withDefault(this.defaultAlgorithm).withDefault(this.defaultMode);
		RateLimitRule planned = this.planned.contains(rule.name()) ? complete.withPlans() : complete;
		RateLimitRule written = this.settled.getOrDefault(rule.name(), UnaryOperator.identity()).apply(planned);
		this.engine.validate(written);
		RuleCounts counts = this.overridden.inForce(written, this.engine::validate);
		this.engine.putIntoForce(counts);
		RuleLimiter limiter = this.limiters.computeIfAbsent(written.name(),
				(name) -> new RuleLimiter(this.engine, this.overridden, this::settleByProgram, written, counts));
		limiter.change(written, counts);
		return limiter;
	}

	private void refresh() {
		for (RuleLimiter limiter : this.limiters.values()) {
			limiter.refresh();
		}
	}

	void plan(String rule) {
		this.planned.add(rule);
		if (!find(rule).rule().hasPlans()) {
			put(find(rule).written());
		}
	}

	/**
	 * Let annotated methods settle the calls of a rule from now on.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if the rule cannot
	 * count what calls owe
	 */
	synchronized void settle(String rule, boolean unless, @Nullable String settle) {
		RateLimitRule written = find(rule).written();
		RateLimitRule changed = written.withSettling(unless, settle);
		if (!changed.equals(written)) {
			this.settled.merge(rule, (other) -> other.withSettling(unless, settle),
					(earlier, added) -> (other) -> added.apply(earlier.apply(other)));
			put(written);
		}
	}

	/** Let a program settle the calls of a rule from now on. */
	private void settleByProgram(String rule) {
		if (this.limiters.containsKey(rule)) {
			settle(rule, true, null);
		}
	}

	void remove(String rule) {
		RuleLimiter removed = this.limiters.remove(rule);
		if (removed != null) {
			removed.remove();
		}
	}

	/**
	 * Find the limiter of a rule.
	 * @throws IllegalArgumentException if there is no such rule
	 */
	RuleLimiter find(String rule) {
		RuleLimiter limiter = this.limiters.get(rule);
		if (limiter == null) {
			throw new IllegalArgumentException(
					"There is no rate limit rule \"" + rule + "\"." + NearestName.known(rule, names()));
		}
		return limiter;
	}

	@Nullable RateLimitRule rule(String name) {
		RuleLimiter limiter = this.limiters.get(name);
		return (limiter != null) ? limiter.rule() : null;
	}

	List<RateLimitRule> rules() {
		return List.copyOf(this.limiters.values().stream().map(RuleLimiter::rule).toList());
	}

	Set<String> names() {
		return this.limiters.keySet();
	}

	/** Replace all overrides. The rules of which one differs from before change. */
	void override(Collection<RuleOverride> overrides, Collection<CandidateOverride> candidates) {
		for (String rule : this.overridden.replaceBy(overrides, candidates)) {
			RuleLimiter limiter = this.limiters.get(rule);
			if (limiter != null) {
				put(limiter.written());
			}
		}
	}

	/**
	 * Check whether a rule can try a candidate.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if it cannot
	 * @throws IllegalArgumentException if there is no such rule
	 */
	void validate(CandidateOverride override) {
		RuleLimiter limiter = find(override.rule());
		override.applyTo(limiter.rule(), limiter.written());
	}

	/**
	 * Check whether a rule can follow an override.
	 * @throws io.github.ratelimit.RateLimitConfigurationException if it cannot
	 * @throws IllegalArgumentException if there is no such rule
	 */
	void validate(RuleOverride override) {
		this.engine.validate(override.applyTo(find(override.rule()).written()));
	}

	RuleProvenance.@Nullable AtRunTime overrideOf(String rule) {
		return this.overridden.of(rule);
	}

}
