package io.github.ratelimit.interceptor;

import java.util.List;

import io.github.ratelimit.RateLimitRule;

/**
 * Rule on a method or on requests, as the documentation of an API describes it.
 *
 * @param rule the rule in force
 * @param needs the parts of a request that its key needs, and that a client may leave
 * out: {@code header X-Api-Key} for example
 * @param denies whether a denied call fails, since no fallback answers it
 * @since 0.1.0
 */
public record LimitedOperation(RateLimitRule rule, List<String> needs, boolean denies) {

	LimitedOperation(RateLimitOperation operation) {
		this(operation.limiter().rule(), operation.key().needs(), operation.fallback() == null);
	}

}
