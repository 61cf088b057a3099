package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveEndpointExposureTests extends EndpointExposureTests {

	ReactiveEndpointExposureTests() {
		super(WebApplicationType.REACTIVE);
	}

}
