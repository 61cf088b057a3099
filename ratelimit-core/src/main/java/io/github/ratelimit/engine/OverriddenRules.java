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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Mode;
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

	private volatile boolean areOff;

	/** Reasons by overrides and candidates. */
	private final Map<Object, String> ignored = new ConcurrentHashMap<>();

	/** Rules that have yet to follow their overrides, each with its latest failure. */
	private final Map<String, String> pending = new TreeMap<>();

	/**
	 * Replace all overrides. A rule that fails to follow them does not keep others from
	 * theirs, and is tried again.
	 * @param tried all candidates that are changed at run time
	 * @param follow derives a rule anew of which an override or a candidate has changed
	 * @return {@code false} if a rule has failed
	 */
	boolean replaceBy(Collection<RuleOverride> all, Collection<CandidateOverride> tried, Consumer<String> follow) {
		difference(this.overrides.values(), all).forEach((override) -> this.pending.putIfAbsent(override.rule(), ""));
		difference(this.candidates, tried).forEach((candidate) -> this.pending.putIfAbsent(candidate.rule(), ""));
		this.overrides = all.stream().collect(Collectors.toUnmodifiableMap(RuleOverride::rule, (same) -> same));
		this.candidates = tried.stream().sorted(CandidateOverride.ORDER).toList();
		this.ignored.keySet().removeIf((override) -> !all.contains(override) && !tried.contains(override));
		this.pending.entrySet().removeIf((rule) -> follows(rule, follow));
		return this.pending.isEmpty();
	}

	private static boolean follows(Map.Entry<String, String> rule, Consumer<String> follow) {
		try {
			follow.accept(rule.getKey());
			return true;
		}
		catch (RuntimeException | Error ex) {
			String failure = ex.toString();
			if (!failure.equals(rule.setValue(failure))) {
				logger.log(Level.ERROR,
						"The rate limit rule \"" + rule.getKey() + "\" does not follow its changes at "
								+ "run time, because deriving it has failed. It stays as it is, and it is tried again.",
						ex);
			}
			return false;
		}
	}

	/** Let all rules be off from now on, whatever their overrides say. */
	void switchOff() {
		this.areOff = true;
	}

	/** Return what only one of both has. */
	private static <T> Set<T> difference(Collection<T> earlier, Collection<T> now) {
		Set<T> changed = new HashSet<>(earlier);
		now.stream().filter((each) -> !changed.remove(each)).toList().forEach(changed::add);
		return changed;
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
		return RuleCounts.of(this.areOff ? inForce.withMode(Mode.OFF) : inForce, changed);
	}

	/**
	 * Return a rule with the numbers of a single caller as it is in force. An override
	 * that does not fit them is ignored for them alone, whether the rule follows it or
	 * not.
	 * @param validator refuses an invalid rule
	 */
	RateLimitRule ofCaller(RateLimitRule numbers, Consumer<RateLimitRule> validator) {
		RuleOverride override = this.overrides.get(numbers.name());
		RateLimitRule inForce = numbers;
		try {
			inForce = (override != null) ? overridden(override, numbers, validator) : numbers;
		}
		catch (RateLimitConfigurationException ex) {
			logger.log(Level.WARNING, "The override of the rate limit rule \"" + numbers.name()
					+ "\" does not fit numbers of a single caller, which stay as they are. " + ex.getMessage());
		}
		return this.areOff ? inForce.withMode(Mode.OFF) : inForce;
	}

	private static RateLimitRule overridden(RuleOverride override, RateLimitRule written,
			Consumer<RateLimitRule> validator) {
		RateLimitRule changed = override.applyTo(written);
		validator.accept(changed);
		return changed;
	}

	private RateLimitRule tried(RateLimitRule changed, RateLimitRule written, CandidateOverride override) {
		try {
			return override.applyTo(changed, written);
		}
		catch (RateLimitConfigurationException ex) {
			ignore(override, "The candidate \"" + override.name() + "\" of the rate limit rule \"" + written.name()
					+ "\", made " + override.made() + " at run time,", ex);
			return changed;
		}
	}

	private RateLimitRule overridden(RateLimitRule written, Consumer<RateLimitRule> validator) {
		RuleOverride override = this.overrides.get(written.name());
		if (override == null) {
			return written;
		}
		try {
			RateLimitRule changed = overridden(override, written, validator);
			this.ignored.remove(override);
			return changed;
		}
		catch (RateLimitConfigurationException ex) {
			ignore(override,
					"The override of the rate limit rule \"" + written.name() + "\", made " + override.made() + ",",
					ex);
			return written;
		}
	}

	/** Note that an override is ignored, and log each reason once. */
	private void ignore(Object override, String name, RateLimitConfigurationException refusal) {
		String reason = String.valueOf(refusal.getMessage());
		if (!reason.equals(this.ignored.put(override, reason))) {
			logger.log(Level.ERROR, name + " does not fit the rule here and is ignored. " + reason);
		}
	}

	RuleProvenance.@Nullable AtRunTime of(String rule) {
		RuleOverride override = this.overrides.get(rule);
		if (override == null) {
			return null;
		}
		String reason = this.ignored.get(override);
		return new RuleProvenance.AtRunTime(override, (reason != null) ? reason : this.pending.get(rule));
	}

}
