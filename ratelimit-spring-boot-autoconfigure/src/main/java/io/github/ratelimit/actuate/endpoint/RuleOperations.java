package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.ratelimit.InvalidAttributeException;
import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.engine.KeyExemption;
import io.github.ratelimit.engine.KeyMaintenance;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.RuleLimiter;
import io.github.ratelimit.engine.RuleRegistry;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.notation.KebabCase;
import io.github.ratelimit.override.KeyOverrideRegistry;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.store.Demand;

import org.springframework.lang.Nullable;

/**
 * Operations of the endpoint over HTTP: they show the rules in force and the state of
 * keys, reset keys, and change rules at run time. {@link RateLimitsEndpoint} documents
 * their parameters.
 *
 * @param registry the rules
 * @param engine the engine that decides calls
 * @param overrides the overrides of rules
 * @param keyOverrides the overrides of keys
 * @param failurePolicy the policy for calls that the store cannot answer
 * @param keys the key expressions of rules
 * @param clock the clock by which ends of bans are shown
 */
record RuleOperations(RuleRegistry registry, RateLimitEngine engine, RuleOverrideRegistry overrides,
		KeyOverrideRegistry keyOverrides, StoreFailurePolicy failurePolicy, KeyExpressions keys, Clock clock) {

	/**
	 * Return all rules.
	 */
	Map<String, Object> rules() {
		Map<String, Object> overridden = new LinkedHashMap<>();
		this.overrides.inForce()
			.forEach((override) -> overridden.put(override.rule(), OverrideDescription.of(override, null)));
		history().nameAuthors(overridden);
		return Fields.of("rules", this.registry.rules().stream().map((rule) -> describeBriefly(rule.name())).toList())
			.with("overrides", overridden)
			.with("overridesHold", whereOverridesHold())
			.toMap();
	}

	/**
	 * Return the latest changes.
	 */
	Map<String, Object> changes() {
		return history().describe();
	}

	private ChangeHistory history() {
		return new ChangeHistory(this.overrides);
	}

	private Map<String, Object> describeBriefly(String rule) {
		Map<String, Object> answer = describeAlone(rule);
		answer.computeIfPresent("keyOverrides", (name, overrides) -> ((List<?>) overrides).size());
		return answer;
	}

	private String whereOverridesHold() {
		return this.overrides.isShared() ? "in every instance, until they are removed"
				: "in this process only, until they are removed or it ends";
	}

	/**
	 * Return a rule, or with a key its state.
	 */
	Map<String, Object> rule(String rule, @Nullable String key, @Nullable String explain, @Nullable String plan,
			@Nullable String priority) {
		return (key != null) ? state(rule, key, explain, plan, priority) : describe(rule);
	}

	/**
	 * Change a rule at run time, in addition to earlier changes.
	 */
	Map<String, Object> change(String rule, @Nullable String max, @Nullable String period, @Nullable String mode,
			@Nullable String limit, String changedBy) {
		find(rule);
		Change change = Change.of(rule, max, period, mode, limit);
		this.overrides.change(rule, change.mode(), change.limit(), change.attributes(), changedBy);
		Map<String, Object> answer = describe(rule);
		answer.put("overrideHolds", whereOverridesHold());
		return answer;
	}

	/**
	 * Override one key of a rule at run time.
	 */
	Map<String, Object> override(String rule, String key, @Nullable String max, @Nullable String limit,
			@Nullable String blocked, @Nullable String unlimited, @Nullable String lasting, String changedBy) {
		KeyChange change = KeyChange.of(find(rule).rule(), max, limit, blocked, unlimited, lasting);
		this.keyOverrides.change(rule, key, change::after, changedBy);
		Map<String, Object> answer = state(rule, key, null, null, null);
		answer.put("overrideHolds", this.overrides.isShared() ? "in every instance" : "in this process only");
		return answer;
	}

	/**
	 * Remove the override of a key.
	 */
	Map<String, Object> removeOverride(String rule, String key, String changedBy) {
		if (!this.keyOverrides.remove(rule, key, changedBy)) {
			find(rule);
			throw new NothingFoundException("The key is not overridden under the rate limit rule \"" + rule + "\".");
		}
		return isKnown(rule) ? state(rule, key, null, null, null) : Map.of("rule", rule, "key", key);
	}

	/**
	 * Remove the override of a rule, or reset a key.
	 */
	Map<String, Object> restore(String rule, @Nullable String key, String changedBy) {
		if (key != null) {
			return reset(rule, key);
		}
		if (!this.overrides.remove(rule, changedBy)) {
			find(rule);
			throw new NothingFoundException("The rate limit rule \"" + rule + "\" is not changed at run time.");
		}
		return isKnown(rule) ? describe(rule) : Map.of("name", rule);
	}

	private boolean isKnown(String rule) {
		return this.registry.rules().stream().map(RateLimitRule::name).anyMatch(rule::equals);
	}

	/**
	 * Reset a key.
	 */
	Map<String, Object> reset(String rule, String key) {
		find(rule).reset(key);
		return state(rule, key, null, null, null);
	}

	/**
	 * List the banned keys of a rule.
	 */
	Map<String, Object> banned(String rule, @Nullable String key) {
		RateLimitRule registered = find(rule).rule();
		if (key != null) {
			throw new InvalidAttributeException("banned", "true", "it lists the banned keys of the whole rule.",
					"Leave the key out, or read its state with ?explain.");
		}
		Instant now = this.clock.instant();
		return Fields.of("rule", rule)
			.with("banned",
					this.engine.keys()
						.bans(registered)
						.stream()
						.map((each) -> Fields.of("key", each.key())
							.with("until", EndpointFormat.instant(now, each.endsAfter()))
							.with("endsAfterMs", EndpointFormat.millis(each.endsAfter()))
							.toMap())
						.toList())
			.toMap();
	}

	/**
	 * List the keys of a rule with most denials.
	 */
	Map<String, Object> top(String rule, @Nullable String key) {
		find(rule);
		return new TopDescription(rule, this.engine.keys().topTalkers(), this.clock.instant()).describe(key);
	}

	/**
	 * Return the limiter of a rule.
	 * @throws NothingFoundException if there is no such rule
	 */
	RuleLimiter find(String rule) {
		try {
			return this.registry.limiter(rule);
		}
		catch (IllegalArgumentException ex) {
			throw new NothingFoundException(String.valueOf(ex.getMessage()));
		}
	}

	private Map<String, Object> describe(String name) {
		return history().nameAuthors(describeAlone(name), name, null);
	}

	private Map<String, Object> describeAlone(String name) {
		RateLimitRule rule = this.engine.now(find(name).rule());
		Map<String, Object> answer = new RuleDescription(rule, this.registry.sources(name), null).describe(policy(rule),
				this.keys);
		Map<String, KeyOverride> overrides = this.keyOverrides.of(name);
		if (!overrides.isEmpty()) {
			answer.put("keyOverrides", KeyOverrideDescription.of(overrides));
		}
		return answer;
	}

	private Map<String, Object> state(String name, String key, @Nullable String explain, @Nullable String plan,
			@Nullable String priority) {
		boolean inSentences = Change.isTrue("explain", explain);
		Instant now = this.clock.instant();
		RateLimiter limiter = find(name);
		RateLimitRule registered = limiter.withPlan(plan).rule();
		RateLimitRule rule = this.engine.now(registered);
		KeyMaintenance keys = this.engine.keys();
		KeyExemption exemption = keys.exemption(registered, key);
		KeyDescription state = new KeyDescription(rule, key,
				keys.state(new Demand(registered, key, 1).withPriority(priority)), policy(rule), exemption, now);
		Map<String, Object> answer = state.describe();
		PlanDescription ofPlan = new PlanDescription(this.engine.now(limiter.rule()), plan,
				(exemption.override() == null) ? keys.scheduled(limiter.rule()) : null,
				(other) -> keys.numbersOf(limiter.withPlan(other).rule(), key).limits());
		ofPlan.addTo(answer);
		history().nameAuthors(answer, name, key);
		PriorityDescription ofClass = new PriorityDescription(rule, priority);
		ofClass.addTo(answer);
		if (inSentences) {
			List<String> sentences = new ArrayList<>(state.explain());
			sentences.addAll(ofPlan.explain());
			List<Limit> limits = keys.numbersOf(registered, key).limits();
			sentences.addAll(ofClass.explain(limits));
			sentences.addAll(new RuleDescription(rule, this.registry.sources(name), ofPlan.known()).explain(limits, key,
					exemption.override()));
			answer.put("explanation", sentences);
			return answer;
		}
		List<String> unknown = Stream.concat(ofPlan.explainUnknown().stream(), ofClass.explainUnknown().stream())
			.toList();
		if (!unknown.isEmpty()) {
			answer.put("explanation", unknown);
		}
		return answer;
	}

	private String policy(RateLimitRule rule) {
		return KebabCase.of(this.failurePolicy.of(rule));
	}

}
