package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveLettuceServerTests extends ServerTests {

	ReactiveLettuceServerTests() {
		super(WebApplicationType.REACTIVE, "lettuce");
	}

}
