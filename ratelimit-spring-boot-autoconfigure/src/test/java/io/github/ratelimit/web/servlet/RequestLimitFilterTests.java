package io.github.ratelimit.web.servlet;

import java.net.URI;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitInterruptedException;
import io.github.ratelimit.RateLimitKeyException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.Problems;
import io.github.ratelimit.web.RequestRules;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.MvcResult;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.WebUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.springframework.http.HttpStatus.I_AM_A_TEAPOT;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.asyncDispatch;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Limits of requests by URL in Spring MVC.
 */
class RequestLimitFilterTests {

	private final RecordingStore store = new RecordingStore();

	private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
						DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
						HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class))
		.withBean(RateLimitStore.class, () -> this.store)
		.withBean(Controller.class)
		.withBean(Routes.class)
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60", "ratelimit.rules.all.max=9",
				"ratelimit.rules.all.period=60");

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

	@Test
	void allowedAndDeniedResponsesShowTheLimits() {
		run(all(), (mvc) -> {
			mvc.perform(get("/api/replies"))
				.andExpect(status().isOk())
				.andExpect(header().stringValues("RateLimit-Policy", "\"api\";q=2;w=60"))
				.andExpect(header().stringValues("RateLimit", "\"api\";r=1;t=60"));
			mvc.perform(get("/api/replies"));
			mvc.perform(get("/api/replies"))
				.andExpect(status().isTooManyRequests())
				.andExpect(header().exists("Retry-After"))
				.andExpect(header().string("RateLimit", Matchers.startsWith("\"api\";r=0;t=")))
				.andExpect(content().contentType("application/problem+json"))
				.andExpect(jsonPath("$.type").value("https://iana.org/assignments/http-problem-types#quota-exceeded"))
				.andExpect(jsonPath("$.status").value(429))
				.andExpect(jsonPath("$.instance").value("/api/replies"))
				.andExpect(jsonPath("$.violated-policies[0]").value("api"))
				.andExpect(jsonPath("$.retry-after-ms").isNumber());
		});
	}

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
	void headersShowTheLimitsOfUrlAndAnnotation() {
		run(all(), (mvc) -> mvc.perform(post("/api/annotated"))
			.andExpect(header().stringValues("RateLimit", "\"api\";r=1;t=60, \"annotated\";r=4;t=60")));
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
		run(all("[0].key=header('X-Api-Key').nothing"), (mvc) -> {
			assertThatExceptionOfType(RateLimitKeyException.class)
				.isThrownBy(() -> mvc.perform(get("/api/replies").header("X-Api-Key", "short")))
				.withMessageStartingWith("The key of rule \"api\" on ratelimit.web.requests[0] has no value: "
						+ "\"header('X-Api-Key').nothing\" cannot be evaluated: ");
			assertThat(this.store.calls()).isEmpty();
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
	void answers503WhenTheStoreIsDownAndThePolicyIsDeny() {
		this.store.fail();
		run(all(),
				(mvc) -> mvc.perform(get("/api/replies"))
					.andExpect(status().isServiceUnavailable())
					.andExpect(header().string("Retry-After", "1"))
					.andExpect(content().contentType("application/problem+json"))
					.andExpect(jsonPath("$.type")
						.value("https://iana.org/assignments/http-problem-types#temporary-reduced-capacity")),
				"ratelimit.defaults.on-store-failure=deny");
	}

	@Test
	void handlerOfTheApplicationAnswers() {
		this.runner.withBean(OwnHandler.class)
			.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.rules.api.max=1")
			.run((context) -> {
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context)
					.addFilters(context.getBean(LimitHeadersFilter.class), filter(context))
					.build();
				mvc.perform(get("/api/replies")).andExpect(status().isOk());
				mvc.perform(get("/api/replies")).andExpect(status().isIAmATeapot()).andExpect(content().string("own"));
			});
	}

	@Test
	void withoutSpringMvcTheServerAnswers() throws Exception {
		this.runner.withPropertyValues(properties(all()))
			.withPropertyValues("ratelimit.rules.api.max=1")
			.run((context) -> {
				RequestLimitFilter filter = new RequestLimitFilter(context.getBean(RequestRules.class),
						context.getBean(WebRequests.class),
						new FailureResponse(List::of, new CorsAnswer(List::of, List::of), new Problems(List.of())));
				filter.doFilter(new MockHttpServletRequest("GET", "/api/x"), new MockHttpServletResponse(),
						new MockFilterChain());
				MockHttpServletResponse response = new MockHttpServletResponse();
				filter.doFilter(new MockHttpServletRequest("GET", "/api/x"), response, new MockFilterChain());
				assertThat(response.getStatus()).isEqualTo(429);
				assertThat(response.getHeader("Retry-After")).isNotNull();
				assertThat(response.isCommitted()).isTrue();
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

	private static String[] all(String... more) {
		String[] all = { "[0].path=/api/**", "[0].rule=api" };
		return Stream.of(all, more).flatMap(Stream::of).toArray(String[]::new);
	}

	private static String[] properties(String... requests) {
		return Stream.of(requests).map("ratelimit.web.requests"::concat).toArray(String[]::new);
	}

	private void run(String[] requests, Requests test, String... properties) {
		this.runner.withBean("names", String.class, () -> "names")
			.withPropertyValues(properties(requests))
			.withPropertyValues(properties)
			.run((context) -> test.run(MockMvcBuilders.webAppContextSetup(context)
				.addFilters(context.getBean(LimitHeadersFilter.class), filter(context))
				.build()));
	}

	private static Filter filter(ApplicationContext context) {
		return registration(context).getFilter();
	}

	private static FilterRegistrationBean<?> registration(ApplicationContext context) {
		return context.getBean("rateLimitRequestFilter", FilterRegistrationBean.class);
	}

	private interface Requests {

		void run(MockMvc mvc) throws Exception;

	}

	@RestController
	static class Controller {

		@GetMapping("/api/replies")
		String replies() {
			return "replies";
		}

		@PostMapping("/api/annotated")
		@RateLimited(name = "annotated", max = 5, period = 60)
		public String annotated() {
			return "annotated";
		}

		@GetMapping("/api/async")
		Callable<String> async() {
			return () -> "later";
		}

	}

	static class Routes {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route().GET("/api/functional", (request) -> ServerResponse.ok().build()).build();
		}

	}

	@ControllerAdvice
	static class OwnHandler {

		@ExceptionHandler
		@ResponseStatus(I_AM_A_TEAPOT)
		@ResponseBody
		String handle(RateLimitExceededException denial) {
			return "own";
		}

	}

}
