package io.github.ratelimit.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.RuleCounts;

/**
 * Overrides at run time, and those that do not fit the rules of this process: a rule may
 * differ between instances.
 */
final class OverriddenRules {

	private static final Logger logger = System.getLogger(OverriddenRules.class.getName());

	private volatile Map<String, RuleOverride> overrides = Map.of();

	private volatile List<CandidateOverride> candidates = List.of();

	private final Map<String, Ignored> ignored = new ConcurrentHashMap<>();

	private final Map<String, String> ignoredCandidates = new ConcurrentHashMap<>();

	/**
	 * Replace all overrides.
	 * @return the rules whose override has changed
	 */
	Set<String> replaceBy(Collection<RuleOverride> all) {
		Map<String, RuleOverride> earlier = this.overrides;
		Map<String, RuleOverride> now = new HashMap<>();
		all.forEach((override) -> now.put(override.rule(), override));
		this.overrides = Map.copyOf(now);
		this.ignored.keySet().retainAll(now.keySet());
		Set<String> changed = new TreeSet<>(earlier.keySet());
		changed.addAll(now.keySet());
		changed.removeIf((rule) -> now.containsKey(rule) && now.get(rule).equals(earlier.get(rule)));
		return changed;
	}

	/**
	 * Replace all candidates that are changed at run time.
	 * @return the rules whose candidates have changed
	 */
	Set<String> replaceCandidatesBy(Collection<CandidateOverride> all) {
		Set<CandidateOverride> changed = new HashSet<>(this.candidates);
		changed.removeAll(new HashSet<>(all));
		Set<String> rules = new TreeSet<>();
		changed.forEach((override) -> rules.add(override.rule()));
		for (CandidateOverride override : all) {
			if (!this.candidates.contains(override)) {
				rules.add(override.rule());
			}
		}
		this.candidates = List.copyOf(all);
		return rules;
	}

	/**
	 * Return the rule in force, prepared for counting.
	 * @param validator refuses an invalid rule
	 */
	RuleCounts inForce(RateLimitRule written, Consumer<RateLimitRule> validator) {
		RateLimitRule inForce = overridden(written, validator);
		Map<String, Instant> changed = new HashMap<>();
		for (CandidateOverride override : this.candidates) {
			RateLimitRule tried = override.rule().equals(written.name()) ? tried(inForce, written, override) : inForce;
			if (tried != inForce) {
				changed.put(override.name(), override.made());
				inForce = tried;
			}
		}
		return RuleCounts.of(inForce, changed);
	}

	private RateLimitRule tried(RateLimitRule changed, RateLimitRule written, CandidateOverride override) {
		try {
			return override.applyTo(changed, written);
		}
		catch (RateLimitConfigurationException ex) {
			String news = String.valueOf(ex.getMessage());
			if (!news.equals(this.ignoredCandidates.put(override.toString(), news))) {
				logger.log(Level.ERROR,
						"The candidate \"" + override.name() + "\" of the rate limit rule \"" + written.name()
								+ "\", made " + override.made()
								+ " at run time, does not fit the rule here and is ignored. " + news);
			}
			return changed;
		}
	}

	private RateLimitRule overridden(RateLimitRule written, Consumer<RateLimitRule> validator) {
		RuleOverride override = this.overrides.get(written.name());
		if (override == null) {
			return written;
		}
		try {
			RateLimitRule changed = override.applyTo(written);
			validator.accept(changed);
			this.ignored.remove(written.name());
			return changed;
		}
		catch (RateLimitConfigurationException ex) {
			Ignored news = new Ignored(override, String.valueOf(ex.getMessage()));
			if (!news.equals(this.ignored.put(written.name(), news))) {
				logger.log(Level.ERROR, "The override of the rate limit rule \"" + written.name() + "\", made "
						+ override.made() + ", does not fit the rule here and is ignored. " + news.reason());
			}
			return written;
		}
	}

	/**
	 * Return the override of a rule.
	 */
	RuleProvenance.@Nullable AtRunTime of(String rule) {
		RuleOverride override = this.overrides.get(rule);
		if (override == null) {
			return null;
		}
		Ignored refused = this.ignored.get(rule);
		return new RuleProvenance.AtRunTime(override, (refused != null) ? refused.reason() : null);
	}

	private record Ignored(RuleOverride override, String reason) {

	}

}
