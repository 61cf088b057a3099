package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletLettuceServerTests extends ServerTests {

	ServletLettuceServerTests() {
		super(WebApplicationType.SERVLET, "lettuce");
	}

}
