package io.github.ratelimit.actuate.endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.override.RuleOverrides;

import org.springframework.lang.Nullable;

/**
 * Operations of operators: they show the rules in force and where keys stand, forget what
 * was counted, and change rules at run time. The endpoint offers them over HTTP and JMX.
 */
final class RuleOperations {

	private final RuleRegistry registry;

	private final RateLimitEngine engine;

	private final RuleOverrides overrides;

	private final StoreFailurePolicy failurePolicy;

	private final KeyExpressions keys;

	/**
	 * Create a new endpoint.
	 * @param registry the rules
	 * @param engine who counts
	 * @param overrides what is changed at run time
	 * @param failurePolicy the policy for calls that the store cannot answer
	 * @param keys by what keys rules count
	 */
	RuleOperations(RuleRegistry registry, RateLimitEngine engine, RuleOverrides overrides,
			StoreFailurePolicy failurePolicy, KeyExpressions keys) {
		this.registry = registry;
		this.engine = engine;
		this.overrides = overrides;
		this.failurePolicy = failurePolicy;
		this.keys = keys;
	}

	/**
	 * All rules.
	 * @return the rules in force, and what is overridden at run time
	 */
	Map<String, Object> rules() {
		Map<String, Object> overridden = new LinkedHashMap<>();
		this.overrides.inForce()
			.forEach((override) -> overridden.put(override.rule(), OverrideDescription.of(override, null)));
		Map<String, Object> answer = new LinkedHashMap<>();
		answer.put("rules", this.registry.rules().stream().map((rule) -> describe(rule.name())).toList());
		answer.put("overrides", overridden);
		answer.put("overridesHold", whereOverridesHold());
		return answer;
	}

	private String whereOverridesHold() {
		return this.overrides.isShared() ? "in every instance, until they are removed"
				: "in this process only, until they are removed or it ends";
	}

	/**
	 * One rule, or with a key where that stands.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @param explain whether to say it in sentences, too
	 * @return the rule, or the state of the key
	 */
	Map<String, Object> rule(String rule, @Nullable String key, @Nullable String explain) {
		return (key != null) ? state(rule, key, explain) : describe(rule);
	}

	/**
	 * Change a rule at run time, beside what was changed before.
	 * @param rule the name of the rule
	 * @param max how many units per period
	 * @param period the time in which they are admitted
	 * @param mode enforce, shadow or off
	 * @param limit which of several limits to change
	 * @return the rule as it is in force now
	 */
	Map<String, Object> change(String rule, @Nullable String max, @Nullable String period, @Nullable String mode,
			@Nullable String limit) {
		find(rule);
		Change change = Change.of(rule, max, period, mode, limit);
		this.overrides.change(rule, change.mode(), change.limit(), change.said());
		Map<String, Object> answer = describe(rule);
		answer.put("overrideHolds", whereOverridesHold());
		return answer;
	}

	/**
	 * Let a rule be again what is written; or with a key, forget what was counted for it.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @return the rule as it is in force now, or the state of the key
	 */
	Map<String, Object> restore(String rule, @Nullable String key) {
		if (key != null) {
			return reset(rule, key);
		}
		if (!this.overrides.remove(rule)) {
			find(rule);
			throw new NothingFoundException("The rate limit rule \"" + rule + "\" is not changed at run time.");
		}
		boolean isKnown = this.registry.rules().stream().map(RateLimitRule::name).anyMatch(rule::equals);
		return isKnown ? describe(rule) : Map.of("name", rule);
	}

	/**
	 * Forget what was counted for a key.
	 * @param rule the name of the rule
	 * @param key who or what is counted
	 * @return the state of the key now
	 */
	Map<String, Object> reset(String rule, String key) {
		find(rule).reset(key);
		return state(rule, key, null);
	}

	private RateLimiter find(String rule) {
		try {
			return this.registry.limiter(rule);
		}
		catch (IllegalArgumentException ex) {
			throw new NothingFoundException(String.valueOf(ex.getMessage()));
		}
	}

	private Map<String, Object> describe(String name) {
		RateLimitRule rule = this.engine.now(find(name).rule());
		return new RuleDescription(rule, this.registry.sources(name)).describe(policy(rule), this.keys.of(name));
	}

	private Map<String, Object> state(String name, String key, @Nullable String explain) {
		boolean inSentences = Change.isTrue("explain", explain);
		RateLimitRule registered = find(name).rule();
		RateLimitRule rule = this.engine.now(registered);
		KeyDescription state = new KeyDescription(rule, key, this.engine.keys().peek(registered, key), policy(rule));
		Map<String, Object> answer = state.describe();
		if (inSentences) {
			List<String> sentences = new ArrayList<>(state.explain());
			sentences.addAll(new RuleDescription(rule, this.registry.sources(name)).explainSources());
			answer.put("explanation", sentences);
		}
		return answer;
	}

	private String policy(RateLimitRule rule) {
		return Words.of(this.failurePolicy.of(rule));
	}

}
