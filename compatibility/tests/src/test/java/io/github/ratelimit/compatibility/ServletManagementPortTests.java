package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletManagementPortTests extends ManagementPortTests {

	ServletManagementPortTests() {
		super(WebApplicationType.SERVLET);
	}

}
