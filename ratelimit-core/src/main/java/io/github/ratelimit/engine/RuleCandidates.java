package io.github.ratelimit.engine;

import java.util.Map;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.FigureStore;
import io.github.ratelimit.store.StoreException;

/**
 * Candidates of the rules of a registry, for those who change them and read their
 * figures. Applications without candidates never load it.
 *
 * @since 0.1.0
 */
public final class RuleCandidates {

	private final RuleRegistry registry;

	private final @Nullable FigureStore sums;

	/**
	 * Create a view of the candidates.
	 * @param registry the rules
	 * @param sums creates the sums over all instances, {@code null} to count in this
	 * process only
	 */
	public RuleCandidates(RuleRegistry registry, @Nullable Supplier<FigureStore> sums) {
		this.registry = registry;
		this.sums = (sums != null) ? sums.get() : null;
	}

	/**
	 * Check whether a candidate fits its rule.
	 * @param candidate the candidate
	 * @throws RateLimitConfigurationException if it does not fit
	 * @throws IllegalArgumentException if there is no such rule
	 */
	public void validate(CandidateOverride candidate) {
		this.registry.limiters().validate(candidate);
	}

	/**
	 * Return whether a rule has a candidate without changes at run time.
	 * @param rule the name of the rule
	 * @param candidate the name of the candidate
	 * @return whether a property or a program defines it
	 */
	public boolean isWritten(String rule, String candidate) {
		return this.registry.limiters().find(rule).written().candidates().containsKey(candidate);
	}

	/**
	 * Add the figures of candidates that this instance has counted to those of all
	 * instances, every few seconds. Called in between, it does nothing.
	 */
	public void publish() {
		CandidateFigures figures = this.registry.decider().figures();
		if (figures != null) {
			figures.publish(this.sums);
		}
	}

	/**
	 * Return the figures of the candidates of a rule over all instances.
	 * @param rule the name of the rule
	 * @return the figures by the name of the candidate
	 * @throws IllegalArgumentException if there is no such rule
	 * @throws StoreException if the store cannot answer
	 */
	public Map<String, CandidateFigures.Sum> figures(String rule) {
		CandidateFigures figures = this.registry.decider().figures();
		return (figures != null) ? figures.of(this.registry.limiters().find(rule).counts(), this.sums) : Map.of();
	}

}
