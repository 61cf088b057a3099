package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletEndpointExposureTests extends EndpointExposureTests {

	ServletEndpointExposureTests() {
		super(WebApplicationType.SERVLET);
	}

}
