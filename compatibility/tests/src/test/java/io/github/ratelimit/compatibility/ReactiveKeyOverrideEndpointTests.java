package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveKeyOverrideEndpointTests extends KeyOverrideEndpointTests {

	ReactiveKeyOverrideEndpointTests() {
		super(WebApplicationType.REACTIVE);
	}

}
