package io.github.ratelimit.web.servlet;

import java.util.List;

import io.github.ratelimit.RateLimitKeyException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Keys and plans of requests that are limited by URL in Spring MVC.
 */
class RequestKeyTests extends LimitedRequestsTest {

	@Test
	void planOfTheRuleIsThatOfTheRequest() {
		run(all(), (mvc) -> {
			mvc.perform(get("/api/replies").header("X-Plan", "pro"))
				.andExpect(header().stringValues("RateLimit-Policy", "\"api\";q=600;w=60"))
				.andExpect(header().stringValues("RateLimit", "\"api\";r=599;t=60"));
			mvc.perform(get("/api/replies")).andExpect(header().stringValues("RateLimit", "\"api\";r=0;t=60"));
			mvc.perform(get("/api/replies").header("X-Plan", "gold")).andExpect(status().isTooManyRequests());
			mvc.perform(get("/api/replies").header("X-Plan", "pro")).andExpect(status().isOk());
		}, "ratelimit.rules.api.plan=header('X-Plan')", "ratelimit.rules.api.plans.pro.max=600");
	}

	@ParameterizedTest
	@CsvSource({ "ip, 2001:db8:1:2:0:0:0:0/64", "header('X-Api-Key'), k1", "principal, laoqian", "path, /api/replies",
			"#root.ip + path, 2001:db8:1:2:0:0:0:0/64/api/replies", "@names.toUpperCase(), NAMES" })
	void keyDeterminesTheCounter(String key, String counted) {
		run(all("[0].key=" + key), (mvc) -> {
			mvc.perform(get("/api/replies").header("X-Api-Key", "k1").principal(() -> "laoqian").with((request) -> {
				request.setRemoteAddr("2001:db8:1:2:3:4:5:6");
				return request;
			}));
			assertThat(this.store.calls()).containsExactly(List.of("api:" + counted));
		});
	}

	@Test
	void keyOfTheRuleHoldsWhereTheRequestsSayNothing() {
		run(all(), (mvc) -> {
			mvc.perform(get("/api/replies"));
			assertThat(this.store.calls()).containsExactly(List.of("api:127.0.0.1"));
		}, "ratelimit.rules.api.key=ip");
	}

	@Test
	void requestWithoutKeyFailsAndIsNotCounted() {
		run(all("[0].key=header('X-Api-Key')[9]"), (mvc) -> {
			assertThatExceptionOfType(RateLimitKeyException.class)
				.isThrownBy(() -> mvc.perform(get("/api/replies").header("X-Api-Key", "short")))
				.withMessageStartingWith("The key of rule \"api\" on ratelimit.web.requests[0] has no value: "
						+ "\"header('X-Api-Key')[9]\" cannot be evaluated: ");
			assertThat(this.store.calls()).isEmpty();
		});
	}

}
