package io.github.ratelimit.compatibility;

import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A separate management port has its own requests: rules of the application do not limit
 * them, and the endpoint changes no others.
 */
@OnOuterLines
abstract class ManagementPortTests {

	private final WebApplicationType type;

	ManagementPortTests(WebApplicationType type) {
		this.type = type;
	}

	@Test
	void rulesHoldForThePortOfTheApplicationOnly() {
		try (Server server = Server.start(this.type, Bodies.class, "ratelimit.store=local", "ratelimit.rules.all.max=1",
				"ratelimit.rules.all.period=1h", "ratelimit.web.requests[0].path=/**",
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

	@Test
	void bodiesAreReadAsDescriptionsByTheEndpointOnly() {
		String[] properties = { "ratelimit.store=local", "ratelimit.rules.all.max=1", "ratelimit.rules.all.period=1h",
				"ratelimit.web.requests[0].path=/limited", "ratelimit.web.requests[0].rule=all",
				"management.endpoints.web.exposure.include=ratelimits" };
		String description = "{\"request\":{\"path\":\"/limited\"}}";
		try (Server server = Server.start(this.type, Bodies.class,
				Stream
					.concat(Stream.of(properties), Stream.of("management.server.port=0",
							"management.server.base-path=/management", "management.endpoints.web.base-path=/"))
					.toArray(String[]::new))) {
			int port = server.bean(Environment.class).getRequiredProperty("local.management.port", Integer.class);
			assertThat(Server.send(port, "/management/ratelimits", MediaType.APPLICATION_JSON, description).body())
				.contains("\"passes\":true");
			assertThat(server.post("/ratelimits", MediaType.TEXT_PLAIN, "hello")).isEqualTo("hello");
			assertThat(server.post("/api/ratelimits", MediaType.TEXT_PLAIN, "hello")).isEqualTo("hello");
		}
		try (Server server = Server.start(this.type, Bodies.class, properties)) {
			assertThat(server.postJson("/actuator/ratelimits", description).body()).contains("\"passes\":true");
			assertThat(server.post("/api/actuator/ratelimits/x", MediaType.TEXT_PLAIN, "hello")).isEqualTo("hello");
		}
	}

	@RestController
	static class Bodies {

		@PostMapping({ "/ratelimits", "/api/ratelimits", "/api/actuator/ratelimits/x" })
		String same(@RequestBody String body) {
			return body;
		}

	}

}
