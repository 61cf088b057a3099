package io.github.ratelimit.store.local;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.store.Tally;

/**
 * What a count belongs to.
 *
 * @param kind what is counted, see {@link Tally#kind}
 * @param limit the name among several limits, {@code null} for the only one
 */
record StateKey(String rule, @Nullable String limit, String kind, String key) {

	static StateKey of(RateLimitRule rule, Tally tally, String key) {
		return new StateKey(rule.name(), tally.name(), tally.kind(), key);
	}

}
