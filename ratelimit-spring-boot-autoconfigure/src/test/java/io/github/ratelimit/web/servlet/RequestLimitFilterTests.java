package io.github.ratelimit.web.servlet;

import java.net.URI;
import java.util.List;

import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.web.util.WebUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Requests that a URL rule selects in Spring MVC are counted once.
 */
class RequestLimitFilterTests extends LimitedRequestsTest {

	@ParameterizedTest
	@CsvSource({ "/api/**, GET, /api, 1", "/api/**, GET, /api/replies/1, 1", "/api/**, GET, /apis, 0",
			"api/*, GET, /api/replies, 1", "/api/*, GET, /api/replies/1, 0", "/api/{id}/x, GET, /api/7/x, 1",
			"/api/**, GET, /api;a=b/replies, 1", "/api/**, GET, /%61pi/replies, 1", "/api/**, DELETE, /api/replies, 0",
			"/api/**, POST, /api/replies, 1", "/api/**, HEAD, /api/replies, 1" })
	void pathAndMethodSelectTheRequests(String pattern, String method, String path, int calls) {
		run(new String[] { "[0].path=" + pattern, "[0].methods=get,POST", "[0].rule=api" }, (mvc) -> {
			mvc.perform(request(HttpMethod.valueOf(method), URI.create(path)));
			assertThat(this.store.calls()).hasSize(calls);
		});
	}

	@Test
	void pathIsTheOneBehindTheContextPath() {
		run(all(), (mvc) -> {
			mvc.perform(get("/forum/api/replies").contextPath("/forum")).andExpect(status().isOk());
			assertThat(this.store.calls()).containsExactly(List.of("api:"));
		});
	}

	@ParameterizedTest
	@CsvSource({ "/api/nowhere, 404", "/api/static.txt, 200", "/api/functional, 200" })
	void requestsWithoutAControllerAreLimited(String path, int answer) {
		run(all(), (mvc) -> {
			mvc.perform(get(path)).andExpect(status().is(answer));
			mvc.perform(get(path)).andExpect(status().is(answer));
			mvc.perform(get(path))
				.andExpect(status().isTooManyRequests())
				.andExpect(content().contentType("application/problem+json"));
		}, "spring.web.resources.static-locations=classpath:/request-limits/");
	}

	@Test
	void rulesOfOneRequestAreDecidedTogetherAllOrNothing() {
		run(new String[] { "[0].path=/**", "[0].rule=all", "[1].path=/api/**", "[1].rule=api", "[1].key=ip" },
				(mvc) -> {
					for (int i = 0; i < 3; i++) {
						mvc.perform(get("/api/replies"));
					}
					assertThat(this.store.calls()).hasSize(3).containsOnly(List.of("all:", "api:127.0.0.1"));
					mvc.perform(get("/other")).andExpect(header().stringValues("RateLimit", "\"all\";r=6;t=60"));
				});
	}

	@Test
	void requestTakesFromACounterOnceHoweverManyPatternsLeadThere() {
		run(new String[] { "[0].path=/**", "[0].rule=api", "[1].path=/api/**", "[1].rule=api", "[2].path=/api/**",
				"[2].rule=api", "[2].key=ip" }, (mvc) -> {
					mvc.perform(get("/api/replies"));
					assertThat(this.store.calls()).containsExactly(List.of("api:", "api:127.0.0.1"));
				});
	}

	@Test
	void requestThatGoesOnLaterIsCountedOnce() {
		run(all(), (mvc) -> {
			MvcResult started = mvc.perform(get("/api/async")).andReturn();
			mvc.perform(asyncDispatch(started)).andExpect(content().string("later"));
			assertThat(this.store.calls()).hasSize(1);
		});
	}

	@ParameterizedTest
	@CsvSource({ "ERROR", "ASYNC", "FORWARD" })
	void furtherDispatchesAreNotCounted(DispatcherType type) {
		this.runner.withPropertyValues(properties(all())).run((context) -> {
			Filter filter = filter(context);
			MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/replies");
			filter.doFilter(request, new MockHttpServletResponse(), (again, response) -> {
				request.setDispatcherType(type);
				if (type == DispatcherType.ERROR) {
					request.setAttribute(WebUtils.ERROR_REQUEST_URI_ATTRIBUTE, "/api/replies");
				}
				filter.doFilter(again, response, new MockFilterChain());
			});
			assertThat(this.store.calls()).hasSize(1);
			assertThat(registration(context).determineDispatcherTypes()).containsExactly(DispatcherType.REQUEST);
		});
	}

	@Test
	void requestWaitsAndIsRefundedWhenItsThreadIsInterrupted() {
		run(all(), (mvc) -> {
			mvc.perform(get("/api/replies")).andExpect(status().isOk());
			Thread.currentThread().interrupt();
			assertThatExceptionOfType(RateLimitInterruptedException.class)
				.isThrownBy(() -> mvc.perform(get("/api/replies")));
			assertThat(Thread.interrupted()).isTrue();
			assertThat(this.store.refunded()).containsExactly("api:");
		}, "ratelimit.rules.api.algorithm=leaky-bucket", "ratelimit.rules.api.max-wait=1h");
	}

	@Test
	void requestEndsWithItsResponse() {
		run(all("[0].unless=status < 400"), (mvc) -> {
			mvc.perform(get("/api/nowhere")).andExpect(status().isNotFound());
			assertThat(this.store.refunded()).isEmpty();
			mvc.perform(get("/api/replies")).andExpect(status().isOk());
			assertThat(this.store.refunded()).containsExactly("api:");
		});
	}

	@Test
	void requestWhoseEndIsNotKnownFailsAndTakesNothing() {
		this.runner.withPropertyValues(properties(all("[0].unless=status < 400")))
			.run((context) -> assertThatIllegalStateException()
				.isThrownBy(() -> filter(context).doFilter(new MockHttpServletRequest("GET", "/api/replies"),
						new MockHttpServletResponse(), new MockFilterChain()))
				.withMessageStartingWith("A rule of requests with unless, settle or concurrency needs the filter "));
		assertThat(this.store.refunded()).containsExactly("api:");
	}

	@Test
	void requestThatIsOverBeforeItIsDecidedFailsAndTakesNothing() {
		this.runner.withPropertyValues(properties(all("[0].unless=status < 400"))).run((context) -> {
			MockHttpServletRequest request = new MockHttpServletRequest("GET", "/api/replies");
			LimitedRequest.of(request, context.getBean(WebRequests.class)).end(new MockHttpServletResponse(), null);
			assertThatIllegalStateException()
				.isThrownBy(
						() -> filter(context).doFilter(request, new MockHttpServletResponse(), new MockFilterChain()))
				.withMessage("The web request is over");
		});
		assertThat(this.store.refunded()).containsExactly("api:");
	}

	@Test
	void orderIsAfterSpringSecurityByDefault() {
		WebApplicationContextRunner limited = this.runner.withPropertyValues(properties(all()));
		limited.run((context) -> assertThat(registration(context).getOrder()).isEqualTo(-50));
		limited.withPropertyValues("ratelimit.web.order=-200")
			.run((context) -> assertThat(registration(context).getOrder()).isEqualTo(-200));
	}

	@Test
	void thereIsNoFilterWithoutRequestsOrWhenDisabled() {
		this.runner.run((context) -> assertThat(context).doesNotHaveBean("rateLimitRequestFilter"));
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean("rateLimitRequestFilter"));
	}

}
