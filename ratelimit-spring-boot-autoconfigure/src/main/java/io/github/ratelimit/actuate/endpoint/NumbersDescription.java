package io.github.ratelimit.actuate.endpoint;

import java.util.List;
import java.util.stream.IntStream;

import io.github.ratelimit.KeyOverride;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.notation.DurationText;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the numbers by which a key is counted.
 *
 * @param rule the rule with the numbers of the key
 * @param description the description of the rule, under a plan or not
 * @param key the key
 * @param override the override of the key, or {@code null}
 */
record NumbersDescription(RateLimitRule rule, RuleDescription description, String key, @Nullable KeyOverride override) {

	/**
	 * Explain the sources in sentences, one for each limit.
	 */
	List<String> explain() {
		return IntStream.range(0, this.rule.limits().size()).mapToObj(this::explain).toList();
	}

	private String explain(int index) {
		Limit limit = this.rule.limits().get(index);
		String source = isOverridden(limit) ? explainOverride() : this.description.source(index, "max") + ", ";
		return "For \"" + this.rule.nameOf(limit) + "\", max = " + limit.max() + " comes from " + source
				+ explainWindow(index, limit) + ", algorithm = " + limit.algorithm().yamlName() + " from "
				+ this.description.source(index, "algorithm") + '.';
	}

	/**
	 * Return whether the override of the key determines {@code max}. One that does not
	 * fit the limit is ignored.
	 */
	private boolean isOverridden(Limit limit) {
		if (this.override == null) {
			return false;
		}
		String name = (this.rule.limits().size() == 1) ? "" : limit.name();
		Long max = this.override.maxima().get((name != null) ? name : "");
		return max != null && max == limit.max();
	}

	private String explainOverride() {
		return "the override of " + (this.key.isEmpty() ? "the only counter" : "key \"" + this.key + '"')
				+ (this.rule.plans().isEmpty() ? ", " : "; plans do not apply to it. The limit has ");
	}

	private String explainWindow(int index, Limit limit) {
		if (limit.period().isZero()) {
			return "lease = " + DurationText.of(limit.lease()) + " from " + this.description.source(index, "lease");
		}
		return (limit.calendar() != null)
				? "calendar = " + limit.calendar() + " from " + this.description.source(index, "calendar")
				: "period = " + DurationText.of(limit.period()) + " from " + this.description.source(index, "period");
	}

}
