package io.github.ratelimit.autoconfigure;

/**
 * Condition that matches if there are rules for outgoing requests.
 */
final class OnOutgoingRules extends OnEntries {

	OnOutgoingRules() {
		super("ratelimit.client.requests", RateLimitProperties.Outgoing.class);
	}

}
