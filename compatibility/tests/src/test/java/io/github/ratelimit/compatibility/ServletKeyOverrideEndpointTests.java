package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletKeyOverrideEndpointTests extends KeyOverrideEndpointTests {

	ServletKeyOverrideEndpointTests() {
		super(WebApplicationType.SERVLET);
	}

}
