package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.engine.CallDelay;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Primary;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * The store, the clock and the waits of tests replace those that the application defines,
 * also primary ones.
 */
@SpringBootTest(webEnvironment = WebEnvironment.NONE)
@AutoConfigureTestRateLimiter
class ReplacedBeansTests {

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private OwnBeans own;

	@Test
	void ownBeansAreNotUsed() throws InterruptedException {
		Instant start = this.clock.instant();
		RateLimiter export = this.limiters.limiter("export");
		assertThat(export.tryAcquire("").origin()).isEqualTo(Origin.LOCAL);
		assertThat(export.acquire("", 1, Duration.ofMinutes(1))).isAllowed();
		assertThat(this.clock.instant()).isEqualTo(start.plusMillis(200));
		verifyNoInteractions(this.own.store, this.own.clock, this.own.delay);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class OwnBeans {

		private final RateLimitStore store = mock(RateLimitStore.class);

		private final LocalClock clock = mock(LocalClock.class);

		private final CallDelay delay = mock(CallDelay.class);

		@Bean
		@Primary
		RateLimitStore ownStore() {
			return this.store;
		}

		@Bean
		@Primary
		LocalClock ownClock() {
			return this.clock;
		}

		@Bean
		@Primary
		CallDelay ownDelay() {
			return this.delay;
		}

	}

}
