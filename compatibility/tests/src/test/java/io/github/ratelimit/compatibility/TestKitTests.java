package io.github.ratelimit.compatibility;

import java.time.Duration;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test of a whole application, whose Redis does not run, by the clock of the test.
 */
@SpringBootTest(classes = TestedForum.class, properties = { "ratelimit.store=redis", "spring.data.redis.port=1" })
@AutoConfigureTestRateLimiter
class TestKitTests {

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private TestedForum.ReplyController replies;

	@RepeatedTest(2)
	void twoMoreAMinuteLater() {
		RateLimiter reply = this.limiters.limiter("reply");
		assertThat(reply).forKey("laoqian").isAllowed().hasRemaining(2);
		this.replies.reply("laoqian");
		assertThat(reply.tryAcquire("laoqian").origin()).isEqualTo(Decision.Origin.LOCAL);
		assertThat(reply).forKey("laoqian").isDenied().hasRetryAfter(Duration.ofMinutes(1));
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(reply).forKey("laoqian").hasRemaining(2);
	}

}
