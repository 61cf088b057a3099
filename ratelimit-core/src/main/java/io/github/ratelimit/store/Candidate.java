package io.github.ratelimit.store;

import java.time.Instant;
import java.util.List;

import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import org.jspecify.annotations.Nullable;

/**
 * Identity of a candidate of a rule. A changed candidate is another one, whose counters
 * and figures begin anew.
 *
 * @param name the name
 * @param version eight digits that differ for other limits and for another change at run
 * time
 */
record Candidate(String name, String version) {

	/**
	 * Identify a candidate alike in all instances.
	 * @param changed the time of its change at run time, {@code null} if there is none
	 */
	static Candidate of(String name, List<Limit> limits, @Nullable Instant changed) {
		StringBuilder text = new StringBuilder((changed != null) ? changed + " " : "");
		for (Limit limit : limits) {
			for (LimitAttribute<?> attribute : LimitAttribute.all()) {
				text.append(attribute).append('=').append(limit.get(attribute)).append(' ');
			}
		}
		return new Candidate(name, "%08x".formatted(text.toString().hashCode()));
	}

	/**
	 * Return the identifier among all candidates of the rule, earlier ones included.
	 * @return the name and the version, behind a hyphen
	 */
	String id() {
		return this.name + '-' + this.version;
	}

}
