package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.Limit;
import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimitRule;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.override.RuleOverrideRegistry;
import io.github.ratelimit.test.ForumApplication.ExportService;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.servlet.MockMvc;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Nothing is limited, regardless of the properties: no request, no method, no program.
 */
@SpringBootTest(properties = "ratelimit.enabled=true")
@AutoConfigureMockMvc
@AutoConfigureTestRateLimiter(enabled = false)
class DisabledLimiterTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private RuleOverrideRegistry overrides;

	@Autowired
	private ExportService exports;

	@Test
	void requestsAreNotLimited() throws Exception {
		for (int i = 0; i < 6; i++) {
			this.mvc.perform(post("/replies").param("userId", "laoqian"))
				.andExpect(status().isOk())
				.andExpect(header().doesNotExist("RateLimit"));
		}
	}

	@Test
	void methodsDoNotWait() {
		Instant start = this.clock.instant();
		for (int i = 0; i < 20; i++) {
			assertThat(this.exports.export()).isEqualTo(start);
		}
	}

	@RepeatedTest(2)
	void programsGetAllowedDecisionsWithoutOrigin() {
		assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 1_000)).isAllowed();
		assertThat(this.limiters.limiter("reply").tryAcquire("laoqian").origin()).isEqualTo(Origin.NONE);
		assertThat(this.limiters.limiter("export-later").tryAcquire("", 1_000)).isAllowed();
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isAllowed();
	}

	@Test
	void changesAtRunTimeSwitchNothingOn() {
		LimitAttributes one = LimitAttributes.NONE.with(LimitAttribute.MAX, 1L);
		this.overrides.change("reply", Mode.ENFORCE, null, one, "ann");
		assertThat(this.limiters.limiter("reply").rule().limits()).extracting(Limit::max).containsExactly(1L);
		assertThat(this.limiters.limiter("reply").tryAcquire("laoqian", 1_000)).isAllowed();
		assertThat(this.limiters.limiter("export-later").tryAcquire("", 1_000)).isAllowed();
	}

	@Test
	void rulesThatAreRegisteredLaterLimitNothing() {
		RateLimiter later = this.limiters
			.register(RateLimitRule.named("later").limit(1, Duration.ofMinutes(1)).build());
		assertThat(later.tryAcquire("laoqian", 1_000)).isAllowed();
		assertThat(later.tryAcquire("laoqian").origin()).isEqualTo(Origin.NONE);
	}

}
