package com.example.tenants;

import java.time.Duration;

import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.JwtRequestPostProcessor;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.security.test.web.servlet.request.SecurityMockMvcRequestPostProcessors.jwt;

@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureTestRateLimiter
class TenantsApplicationTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RateLimitClock clock;

	@Test
	void usersOfATenantShareTwoReportsPerMinute() {
		assertThat(this.mvc.get().uri("/api/reports").with(user("ann", "acme"))).hasStatusOk();
		assertThat(this.mvc.get().uri("/api/reports").with(user("bob", "acme"))).hasStatusOk();
		assertThat(this.mvc.get().uri("/api/reports").with(user("ann", "acme"))).hasStatus(429);
		assertThat(this.mvc.get().uri("/api/reports").with(user("eve", "globex"))).hasStatusOk();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.mvc.get().uri("/api/reports").with(user("ann", "acme"))).hasStatusOk();
	}

	@Test
	void tokenWithoutATenantIsRefused() {
		assertThat(this.mvc.get().uri("/api/reports").with(jwt())).hasStatus(400)
			.bodyJson()
			.extractingPath("$.missing")
			.isEqualTo("claim tenant");
	}

	private static JwtRequestPostProcessor user(String name, String tenant) {
		return jwt().jwt((token) -> token.subject(name).claim("tenant", tenant));
	}

}
