package io.github.ratelimit.compatibility;

import java.time.Duration;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.test.AutoConfigureTestRateLimiter;
import io.github.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.RepeatedTest;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestPropertySource;
import org.springframework.test.web.servlet.MockMvc;

import static io.github.ratelimit.test.RateLimitAssertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Test of a controller with {@code @WebMvcTest}, which has moved between the generations
 * of Spring Boot. The properties of the application concern beans that are not in this
 * slice, too.
 */
@ContextConfiguration(classes = TestedForum.class)
@TestPropertySource(properties = { "ratelimit.store=redis", "ratelimit.rules.of-another-controller.max=20",
		"ratelimit.web.requests[0].path=/others", "ratelimit.web.requests[0].rule=by-a-bean",
		"ratelimit.rules.by-a-bean.max=20", "ratelimit.rules.by-a-bean.period=60s",
		"ratelimit.rules.by-a-bean.key=@another.keyOf(ip())" })
@AutoConfigureTestRateLimiter
public abstract class ServletSlice {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private RateLimitClock clock;

	@Autowired
	private RateLimiterRegistry limiters;

	@RepeatedTest(2)
	void thirdReplyIsDeniedForAMinute() throws Exception {
		reply(200, "\"reply\";r=1;t=60");
		reply(200, "\"reply\";r=0;t=60");
		reply(429, "\"reply\";r=0;t=60");
		assertThat(this.limiters.limiter("reply")).forKey("laoqian").isDenied().violates("reply");
		this.clock.advance(Duration.ofMinutes(1));
		reply(200, "\"reply\";r=1;t=60");
	}

	private void reply(int status, String limit) throws Exception {
		this.mvc.perform(post("/replies").param("userId", "laoqian"))
			.andExpect(status().is(status))
			.andExpect(header().string("RateLimit", limit));
	}

}
