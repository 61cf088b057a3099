package io.github.ratelimit.test;

import java.time.Instant;

import io.github.ratelimit.Decision.Origin;
import io.github.ratelimit.RateLimiterRegistry;
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

}
