package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ServletJedisServerTests extends ServerTests {

	ServletJedisServerTests() {
		super(WebApplicationType.SERVLET, "jedis");
	}

}
