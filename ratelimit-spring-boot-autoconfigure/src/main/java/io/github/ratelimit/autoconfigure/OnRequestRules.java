package io.github.ratelimit.autoconfigure;

/**
 * Condition that matches if there are rules for requests.
 */
final class OnRequestRules extends OnOutgoingRules {

	OnRequestRules() {
		super("ratelimit.web.requests", RateLimitProperties.Request.class);
	}

}
