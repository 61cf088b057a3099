package io.github.ratelimit.store;

import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.RateLimitRule;

/**
 * Identity of a candidate of a rule. A changed candidate is another one, whose counters
 * and figures begin anew.
 *
 * @param name the name
 * @param version eight digits that differ for other limits
 */
record Candidate(String name, String version) {

	static Candidate of(String name, RateLimitRule rule) {
		return new Candidate(name, version(rule.candidates().get(name)));
	}

	/**
	 * Hash the values of limits alike in all instances.
	 */
	private static String version(List<Limit> limits) {
		StringBuilder text = new StringBuilder();
		for (Limit limit : limits) {
			for (LimitAttribute<?> attribute : LimitAttribute.all()) {
				text.append(attribute).append('=').append(limit.get(attribute)).append(' ');
			}
		}
		return "%08x".formatted(text.toString().hashCode());
	}

	/**
	 * Return the identifier among all candidates of the rule, earlier ones included.
	 * @return the name and the version, behind a hyphen
	 */
	String id() {
		return this.name + '-' + this.version;
	}

}
