package io.github.ratelimit.interceptor;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitRule;

/**
 * Rule on a method or on requests, as the documentation of an API describes it.
 *
 * @param rule the rule in force
 * @param needs the parts of a request that its key and its cost need, and that a client
 * may leave out: {@code header X-Api-Key} for example
 * @param denies whether a denied call fails, since no fallback answers it
 * @since 0.1.0
 */
public record LimitedOperation(RateLimitRule rule, List<String> needs, boolean denies) {

	LimitedOperation(RateLimitOperation operation) {
		this(operation.limiter().rule(), needs(operation), operation.fallback() == null);
	}

	private static List<String> needs(RateLimitOperation operation) {
		CallExpression cost = (operation.cost() != null) ? operation.cost() : PlainKey.NONE;
		return Stream.of(operation.key(), cost).flatMap((each) -> each.needs().stream()).distinct().toList();
	}

}
