package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveRuleEndpointTests extends RuleEndpointTests {

	ReactiveRuleEndpointTests() {
		super(WebApplicationType.REACTIVE);
	}

}
