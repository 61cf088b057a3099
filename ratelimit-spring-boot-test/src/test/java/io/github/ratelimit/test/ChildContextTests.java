package io.github.ratelimit.test;

import java.time.Duration;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.ContextHierarchy;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Beans of a child context are limited by the limiter of its parent, which follows the
 * clock of the test and begins each test method anew.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureTestRateLimiter
@ContextHierarchy({ @ContextConfiguration(classes = ForumApplication.class),
		@ContextConfiguration(classes = ChildContextTests.Questions.class) })
class ChildContextTests {

	@Autowired
	private Questions questions;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private RateLimitClock clock;

	@RepeatedTest(2)
	void callsOfAChildFollowTheClockAndBeginAnew() {
		this.questions.ask("ann");
		assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> this.questions.ask("ann"));
		this.clock.advance(Duration.ofMinutes(1));
		this.questions.ask("ann");
	}

	@RepeatedTest(2)
	void rulesOfTheParentFollowTheClockAndBeginAnew() {
		assertThat(this.limiters.limiter("reply").tryAcquire("ann", 5)).isAllowed();
		assertThat(this.limiters.limiter("reply")).forKey("ann").isDenied();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(this.limiters.limiter("reply")).forKey("ann").isAllowed();
	}

	static class Questions {

		@RateLimited(name = "question", key = "#user", max = 1, period = 60)
		void ask(String user) {
		}

	}

}
