package io.github.ratelimit.engine;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;

/**
 * Candidate that is added, changed or removed at run time.
 *
 * @param rule the name of the rule
 * @param name the name of the candidate
 * @param definition what differs from the rule, {@code null} if the candidate is removed
 * @param made the time of the change
 * @since 0.1.0
 */
public record CandidateOverride(String rule, String name, @Nullable VariantDefinition definition, Instant made) {

	/**
	 * Order in which every instance applies changes: removals first, since a rule has
	 * room for a few candidates only.
	 */
	static final Comparator<CandidateOverride> ORDER = Comparator
		.comparing((CandidateOverride each) -> each.definition() != null)
		.thenComparing(CandidateOverride::made)
		.thenComparing(CandidateOverride::name);

	/**
	 * Change the candidates of a rule.
	 * @param written the rule as it is written, which gives what is left out
	 * @throws RateLimitConfigurationException if the candidate does not fit
	 */
	RateLimitRule applyTo(RateLimitRule rule, RateLimitRule written) {
		Map<String, List<Limit>> changed = new LinkedHashMap<>(rule.candidates());
		if (this.definition == null) {
			changed.remove(this.name);
		}
		else {
			changed.put(this.name, this.definition.over(written.limits()));
		}
		return rule.withCandidates(changed);
	}

}
