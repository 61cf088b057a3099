package io.github.ratelimit.engine;

import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitConfigurationException;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.attribute.LimitAttributes;

/**
 * Candidate that is added, changed or removed at run time.
 *
 * @param rule the name of the rule
 * @param name the name of the candidate
 * @param limits what differs from limits of the rule by their names,
 * {@link RuleOverride#ONLY_LIMIT} for the only one; {@code null} if the candidate is
 * removed
 * @param made the time of the change
 * @since 0.1.0
 */
public record CandidateOverride(String rule, String name, @Nullable SortedMap<String, LimitAttributes> limits,
		Instant made) {

	/**
	 * Order in which every instance applies changes: removals first, since a rule has
	 * room for a few candidates only.
	 */
	static final Comparator<CandidateOverride> ORDER = Comparator
		.comparing((CandidateOverride each) -> each.limits() != null)
		.thenComparing(CandidateOverride::made)
		.thenComparing(CandidateOverride::name);

	/**
	 * Change the candidates of a rule.
	 * @param written the rule as it is written, which gives what is left out
	 * @throws RateLimitConfigurationException if the candidate does not fit
	 */
	RateLimitRule applyTo(RateLimitRule rule, RateLimitRule written) {
		Map<String, List<Limit>> changed = new LinkedHashMap<>(rule.candidates());
		if (this.limits == null) {
			changed.remove(this.name);
		}
		else {
			changed.put(this.name, over(written, this.limits));
		}
		return rule.withCandidates(changed);
	}

	private static List<Limit> over(RateLimitRule written, SortedMap<String, LimitAttributes> tried) {
		RuleOverride.checkKnown(written, tried.keySet());
		if (tried.values().stream().allMatch(LimitAttributes.NONE::equals)) {
			return List.of();
		}
		return written.limits().stream().map((own) -> {
			LimitAttributes differing = tried.getOrDefault(RuleOverride.nameIn(written, own), LimitAttributes.NONE);
			return VariantDefinition.tried(own, differing.with(LimitAttribute.NAME, own.name()));
		}).toList();
	}

}
