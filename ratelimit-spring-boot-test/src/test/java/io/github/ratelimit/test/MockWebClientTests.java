package io.github.ratelimit.test;

import io.github.ratelimit.RateLimiterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.test.web.reactive.server.WebTestClient;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;

/**
 * Requests of a {@code WebTestClient} without a server have the loopback address.
 */
@SpringBootTest(properties = { "spring.main.web-application-type=reactive", "ratelimit.rules.address.max=1",
		"ratelimit.rules.address.period=60", "ratelimit.rules.address.key=ip", "ratelimit.web.requests[0].path=/**",
		"ratelimit.web.requests[0].rule=address" })
@AutoConfigureTestRateLimiter
class MockWebClientTests {

	@Autowired
	private RateLimiterRegistry limiters;

	@Test
	void addressIsTheKey(@Autowired ApplicationContext context) {
		WebTestClient client = WebTestClient.bindToApplicationContext(context).build();
		client.get().uri("/nowhere").exchange().expectStatus().isNotFound();
		client.get().uri("/nowhere").exchange().expectStatus().isEqualTo(429);
		assertThat(this.limiters.limiter("address")).forKey("127.0.0.1").isDenied();
	}

}
