package io.github.ratelimit.compatibility;

import java.net.http.HttpResponse;

import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several formats of headers at once, and rules that clients know nothing about, on real
 * servers.
 */
@OnOuterLines
class RuleHeaderTests {

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void ruleWithoutHeadersIsSeenByItsDenialsOnly(WebApplicationType type) {
		try (Server server = Server.start(type, Controller.class, "ratelimit.store=local",
				"ratelimit.web.headers=ietf-11,x-ratelimit", "ratelimit.rules.sign-in.headers=none")) {
			HttpResponse<String> reply = server.get("/reply");
			assertThat(reply.headers().firstValue("RateLimit"))
				.hasValueSatisfying((value) -> assertThat(value).startsWith("\"reply\";r=4;t="));
			assertThat(reply.headers().firstValue("X-RateLimit-Limit")).hasValue("5");
			assertThat(reply.headers().firstValue("X-RateLimit-Remaining")).hasValue("4");
			assertThat(server.get("/sign-in").headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy",
					"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset");
			HttpResponse<String> denied = server.get("/sign-in");
			assertThat(denied.statusCode()).isEqualTo(429);
			assertThat(denied.headers().firstValue("Retry-After")).isPresent();
			assertThat(denied.headers().map()).doesNotContainKeys("ratelimit", "ratelimit-policy", "x-ratelimit-limit",
					"x-ratelimit-remaining", "x-ratelimit-reset");
			assertThat(denied.body()).contains("Rate limit exceeded. Try again in ")
				.doesNotContain("\"sign-in", "violated");
		}
	}

	@RestController
	static class Controller {

		@GetMapping("/reply")
		@RateLimited(name = "reply", max = 5, period = 60)
		public String reply() {
			return "reply";
		}

		@GetMapping("/sign-in")
		@RateLimited(name = "sign-in", max = 1, period = 60)
		public String signIn() {
			return "signed in";
		}

	}

}
