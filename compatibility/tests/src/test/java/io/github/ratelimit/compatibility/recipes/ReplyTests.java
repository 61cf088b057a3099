package io.github.ratelimit.compatibility.recipes;

import java.time.Duration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.ContextConfiguration;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Test of an application, as the production guide shows it.
 */
@ContextConfiguration(classes = RecipeProductionTests.Application.class)
@SpringBootTest
@AutoConfigureTestRateLimiter
class ReplyTests {

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private ReplyController replies;

	@Test
	void fiveRepliesPerMinute() {
		for (int i = 0; i < 5; i++) {
			this.replies.reply("laoqian");
		}
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> this.replies.reply("laoqian"));
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isDenied().hasRetryAfter(Duration.ofMinutes(1));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isAllowed().hasRemaining(5);
	}

}
