package io.github.ratelimit.store.local;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.Limit;
import io.github.ratelimit.RateLimitRule;

/**
 * What a state belongs to. The algorithm is part of it: its states mean nothing to
 * another one.
 */
record StateKey(String limit, Algorithm algorithm, String key) {

	static StateKey of(RateLimitRule rule, Limit limit, String key) {
		return new StateKey(rule.nameOf(limit), limit.algorithm(), key);
	}

}
