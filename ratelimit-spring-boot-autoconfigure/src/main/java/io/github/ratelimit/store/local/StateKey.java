package io.github.ratelimit.store.local;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * What a state belongs to. The algorithm is part of it: its states mean nothing to
 * another one.
 *
 * @param limit the name among several limits, {@code null} for the only one
 */
record StateKey(String rule, @Nullable String limit, Algorithm algorithm, String key) {

	static StateKey of(RateLimitRule rule, Limit limit, String key) {
		return new StateKey(rule.name(), (rule.limits().size() > 1) ? limit.name() : null, limit.algorithm(), key);
	}

}
