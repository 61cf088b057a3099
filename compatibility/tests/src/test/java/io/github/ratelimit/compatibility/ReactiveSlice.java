package io.github.ratelimit.compatibility;

import java.time.Duration;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.reactive.server.WebTestClient;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;

/**
 * Test of a controller with {@code @WebFluxTest}, which has moved between the generations
 * of Spring Boot.
 */
@ContextConfiguration(classes = TestedForum.class)
@TestPropertySource(properties = "ratelimit.store=redis")
@AutoConfigureTestRateLimiter
public abstract class ReactiveSlice {

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	private WebTestClient client;

	@BeforeEach
	void bind(ApplicationContext context) {
		this.client = WebTestClient.bindToApplicationContext(context).build();
	}

	@RepeatedTest(2)
	void thirdReplyIsDeniedForAMinute() {
		reply(200, "\"reply\";r=1;t=60");
		reply(200, "\"reply\";r=0;t=60");
		reply(429, "\"reply\";r=0;t=60");
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isDenied().violates("reply");
		this.clock.advance(Duration.ofMinutes(1));
		reply(200, "\"reply\";r=1;t=60");
	}

	private void reply(int status, String limit) {
		this.client.post()
			.uri("/replies?userId=laoqian")
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectHeader()
			.valueEquals("RateLimit", limit);
	}

}
