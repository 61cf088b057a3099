package com.example.mvc;

import java.time.Duration;

import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest(ReplyController.class)
@AutoConfigureTestRateLimiter
class ReplyControllerTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RateLimitClock clock;

	@Test
	void fiveRepliesPerMinute() {
		for (int i = 0; i < 5; i++) {
			assertThat(this.mvc.post().uri("/replies?userId=ann")).hasStatusOk();
		}
		assertThat(this.mvc.post().uri("/replies?userId=ann")).hasStatus(429).hasHeader("Retry-After", "60");
		assertThat(this.mvc.post().uri("/replies?userId=bob")).hasStatusOk();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.mvc.post().uri("/replies?userId=ann")).hasStatusOk();
	}

}
