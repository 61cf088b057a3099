package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Tag;

import org.springframework.boot.WebApplicationType;

@Tag("in-ci")
@OnOuterLines
class NettyGraphQlTests extends GraphQlTests {

	NettyGraphQlTests() {
		super(WebApplicationType.REACTIVE);
	}

}
