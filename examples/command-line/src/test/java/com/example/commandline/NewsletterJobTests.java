package com.example.commandline;

import java.time.Duration;
import java.time.Instant;

import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest
@AutoConfigureTestRateLimiter
class NewsletterJobTests {

	@Autowired
	private NewsletterJob job;

	@Autowired
	private RateLimitClock clock;

	@Test
	void sendsOneMailEvery200Milliseconds() {
		Instant start = this.clock.instant();
		this.job.run(new DefaultApplicationArguments("ann@example.com", "bob@example.com", "eve@example.com"));
		assertThat(Duration.between(start, this.clock.instant())).isEqualTo(Duration.ofMillis(400));
	}

}
