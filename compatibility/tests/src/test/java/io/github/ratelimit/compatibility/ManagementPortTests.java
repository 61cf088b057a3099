package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Requests to a separate management port are not limited by rules of the application.
 */
@OnOuterLines
abstract class ManagementPortTests {

	private final WebApplicationType type;

	ManagementPortTests(WebApplicationType type) {
		this.type = type;
	}

	@Test
	void rulesHoldForThePortOfTheApplicationOnly() {
		try (Server server = Server.start(this.type, Application.class, "ratelimit.store=local",
				"ratelimit.rules.all.max=1", "ratelimit.rules.all.period=1h", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=all", "management.server.port=0")) {
			int port = server.bean(Environment.class).getRequiredProperty("local.management.port", Integer.class);
			assertThat(port).isNotEqualTo(server.port());
			for (int i = 0; i < 3; i++) {
				assertThat(Server.raw(port, "GET", "/actuator")).startsWith("HTTP/1.1 200");
			}
			assertThat(server.get("/nowhere").statusCode()).isEqualTo(404);
			assertThat(server.get("/nowhere").statusCode()).isEqualTo(429);
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
