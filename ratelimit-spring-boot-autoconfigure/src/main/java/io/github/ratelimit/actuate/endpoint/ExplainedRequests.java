package io.github.ratelimit.actuate.endpoint;

import java.time.Clock;
import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.engine.StoreFailurePolicy;
import io.github.ratelimit.web.RequestExplainer;

import org.springframework.lang.Nullable;

/**
 * Explanations of requests that nobody has sent.
 *
 * @param explainer returns the explainer, {@code null} without rules for requests
 * @param engine the engine that decides calls
 * @param failurePolicy the policy for calls that the store cannot answer
 * @param clock the clock by which ends of overrides are shown
 */
record ExplainedRequests(Supplier<RequestExplainer> explainer, RateLimitEngine engine, StoreFailurePolicy failurePolicy,
		Clock clock) {

	Map<String, Object> explain(@Nullable String method, @Nullable String path, @Nullable String headers,
			@Nullable String remoteAddress, @Nullable String principal) {
		RequestExplainer found = this.explainer.get();
		if (found == null) {
			throw new NothingFoundException("There are no rules for requests, so no request is limited by its URL. "
					+ "To explain a key of an annotated method, write GET /actuator/ratelimits/login/ann?explain for example.");
		}
		return new RequestDescription(this.engine, this.failurePolicy, this.clock)
			.describe(found.explain(method, path, headers, remoteAddress, principal));
	}

}
