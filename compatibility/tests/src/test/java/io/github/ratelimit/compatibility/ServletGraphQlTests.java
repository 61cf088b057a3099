package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletGraphQlTests extends GraphQlTests {

	ServletGraphQlTests() {
		super(WebApplicationType.SERVLET);
	}

}
