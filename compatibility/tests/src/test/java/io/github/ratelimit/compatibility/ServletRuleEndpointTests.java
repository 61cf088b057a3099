package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletRuleEndpointTests extends RuleEndpointTests {

	ServletRuleEndpointTests() {
		super(WebApplicationType.SERVLET);
	}

}
