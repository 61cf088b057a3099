package io.github.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

import io.github.ratelimit.LimitAttribute;
import io.github.ratelimit.Mode;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.attribute.LimitAttributes;
import io.github.ratelimit.engine.RateLimitEngine;
import io.github.ratelimit.override.RuleOverrideRegistry;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.ResultActions;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Requests are limited by the clock of the test, with dates of that clock, although the
 * properties switch limits off.
 */
@SpringBootTest(properties = { "ratelimit.enabled=false", "ratelimit.web.headers=x-ratelimit",
		"ratelimit.rules.reply.candidates.tight.max=2", "ratelimit.web.requests[0].path=/queue",
		"ratelimit.web.requests[0].rule=export" })
@AutoConfigureMockMvc
@AutoConfigureTestRateLimiter
class WebLimitsTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@Autowired
	private RuleOverrideRegistry overrides;

	@Autowired
	private RateLimitEngine engine;

	@RepeatedTest(2)
	void sixthReplyIsDeniedUntilTheClockAdvances() throws Exception {
		for (int i = 0; i < 5; i++) {
			reply().andExpect(status().isOk());
		}
		reply().andExpect(status().isTooManyRequests()).andExpect(header().string("Retry-After", "60"));
		this.clock.advance(Duration.ofMinutes(1));
		reply().andExpect(status().isOk());
	}

	@Test
	void datesInHeadersAreThoseOfTheClock() throws Exception {
		this.clock.set(Instant.parse("2030-01-01T00:00:00Z"));
		reply()
			.andExpect(header().longValue("X-RateLimit-Reset", Instant.parse("2030-01-01T00:01:00Z").getEpochSecond()));
	}

	@Test
	void requestThatWaitsMovesTheClock() throws Exception {
		Instant start = this.clock.instant();
		this.mvc.perform(get("/queue")).andExpect(status().isNotFound());
		this.mvc.perform(get("/queue")).andExpect(status().isNotFound());
		assertThat(this.clock.instant()).isEqualTo(start.plusMillis(200));
	}

	@RepeatedTest(2)
	void noRuleIsOverriddenAtFirst() {
		assertThat(this.limiters.limiter("reply").rule().mode()).isEqualTo(Mode.ENFORCE);
		assertThat(this.overrides.inForce()).isEmpty();
		this.overrides.change("reply", Mode.SHADOW, null, LimitAttributes.NONE, "ann");
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isAllowed();
		assertThat(this.limiters.limiter("reply").rule().mode()).isEqualTo(Mode.SHADOW);
	}

	@RepeatedTest(2)
	void nothingIsTriedOrListedAtFirst() throws Exception {
		assertThat(this.limiters.limiter("reply").rule().candidates()).containsOnlyKeys("tight");
		this.overrides.tryCandidate("reply", "loose", null, LimitAttributes.NONE.with(LimitAttribute.MAX, 9L), "ann");
		this.overrides.removeCandidate("reply", "tight", "ann");
		this.overrides.tryCandidate("reply", "tight", null, LimitAttributes.NONE.with(LimitAttribute.MAX, 3L), "ann");
		for (int i = 0; i < 7; i++) {
			reply();
		}
		assertThat(this.overrides.figures("reply").get("tight")).extracting("calls", "denied", "deniedKeys")
			.containsExactly(7L, 4L, 1L);
		assertThat(this.engine.keys().topTalkers().report("reply").denials().total()).isEqualTo(2);
	}

	@RepeatedTest(2)
	void figuresOfConfiguredCandidatesBeginAnew() throws Exception {
		for (int i = 0; i < 7; i++) {
			reply();
		}
		assertThat(this.overrides.figures("reply").get("tight")).extracting("calls", "denied", "deniedKeys")
			.containsExactly(7L, 5L, 1L);
	}

	private ResultActions reply() throws Exception {
		return this.mvc.perform(post("/replies").param("userId", "laoqian"));
	}

}
