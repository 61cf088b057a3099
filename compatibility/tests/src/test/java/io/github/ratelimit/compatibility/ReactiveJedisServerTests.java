package io.github.ratelimit.compatibility;

import org.springframework.boot.WebApplicationType;

class ReactiveJedisServerTests extends ServerTests {

	ReactiveJedisServerTests() {
		super(WebApplicationType.REACTIVE, "jedis");
	}

}
