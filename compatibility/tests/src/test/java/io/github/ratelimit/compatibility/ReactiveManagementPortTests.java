package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveManagementPortTests extends ManagementPortTests {

	ReactiveManagementPortTests() {
		super(WebApplicationType.REACTIVE);
	}

}
