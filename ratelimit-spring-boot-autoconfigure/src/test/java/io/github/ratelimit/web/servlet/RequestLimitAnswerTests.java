package io.github.ratelimit.web.servlet;

import java.util.List;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.LimitHeaders;
import io.github.ratelimit.web.ProblemFactory;
import io.github.ratelimit.web.RateLimitProblemCustomizer;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.Filter;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.http.ProblemDetail;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.http.HttpStatus.I_AM_A_TEAPOT;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.header;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

/**
 * Responses to requests that are limited by URL in Spring MVC.
 */
class RequestLimitAnswerTests extends LimitedRequestsTest {

	/** MockMvc leaves the latest request bound to the thread. */
	@BeforeEach
	void bindNoRequest() {
		RequestContextHolder.resetRequestAttributes();
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
	void headersShowTheLimitsOfUrlAndAnnotation() {
		run(all(), (mvc) -> mvc.perform(post("/api/annotated"))
			.andExpect(header().stringValues("RateLimit", "\"api\";r=1;t=60, \"annotated\";r=4;t=60")));
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
		ofOneRequest().withBean(OwnHandler.class).run((context) -> {
			MockMvc mvc = MockMvcBuilders.webAppContextSetup(context)
				.addFilters(context.getBean(LimitHeadersFilter.class), filter(context))
				.build();
			mvc.perform(get("/api/replies")).andExpect(status().isOk());
			mvc.perform(get("/api/replies")).andExpect(status().isIAmATeapot()).andExpect(content().string("own"));
		});
	}

	@Test
	void handlerThatRedirectsIsAnsweredByTheServer() {
		ofOneRequest().withBean(Redirecting.class).run((context) -> {
			MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).addFilters(filter(context)).build();
			mvc.perform(get("/api/replies")).andExpect(status().isOk());
			mvc.perform(get("/api/replies"))
				.andExpect(status().isTooManyRequests())
				.andExpect(header().exists("Retry-After"));
		});
	}

	@Test
	void problemIsInTheLanguageOfTheRequest() {
		ofOneRequest().withBean(RateLimitProblemCustomizer.class, () -> RequestLimitAnswerTests::translate)
			.run((context) -> {
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).addFilters(filter(context)).build();
				mvc.perform(get("/api/replies")).andExpect(status().isOk());
				for (String language : List.of("de", "fr")) {
					mvc.perform(get("/api/replies").header("Accept-Language", language))
						.andExpect(status().isTooManyRequests())
						.andExpect(jsonPath("$.title").value(language));
				}
				assertThat(LocaleContextHolder.getLocaleContext()).isNull();
			});
	}

	private static void translate(ProblemDetail problem, RateLimitException failure) {
		problem.setTitle(LocaleContextHolder.getLocale().getLanguage());
	}

	@Test
	void withoutSpringMvcTheServerAnswers() throws Exception {
		ofOneRequest().run((context) -> {
			RequestLimitFilter filter = new RequestLimitFilter(context.getBean(RequestRuleMatcher.class),
					context.getBean(WebRequests.class),
					new FailureResponse(List::of, new CorsAnswer(List::of, List::of),
							new ProblemFactory(List.of(), LimitHeaders.of(HeaderFormat.IETF))));
			MockHttpServletResponse response = denied(filter);
			assertThat(response.getStatus()).isEqualTo(429);
			assertThat(response.getHeader("Retry-After")).isNotNull();
			assertThat(response.isCommitted()).isTrue();
		});
	}

	@Test
	void handlerOfTheApplicationFindsTheRequestInFrontOfSpringMvc() {
		ofOneRequest().withBean(Asking.class).run((context) -> {
			assertThat(denied(filter(context)).getContentAsString()).isEqualTo("denied /api/x");
			assertThat(RequestContextHolder.getRequestAttributes()).isNull();
		});
	}

	private WebApplicationContextRunner ofOneRequest() {
		return this.runner.withPropertyValues(properties(all())).withPropertyValues("ratelimit.rules.api.max=1");
	}

	private static MockHttpServletResponse denied(Filter filter) throws Exception {
		filter.doFilter(new MockHttpServletRequest("GET", "/api/x"), new MockHttpServletResponse(),
				new MockFilterChain());
		MockHttpServletResponse response = new MockHttpServletResponse();
		filter.doFilter(new MockHttpServletRequest("GET", "/api/x"), response, new MockFilterChain());
		return response;
	}

	@Test
	void failuresAreResolvedBeforeSpringMvcResolvesThem() {
		this.runner
			.run((context) -> assertThat(context.getBean(RateLimitExceptionResolver.class).getOrder()).isNegative());
	}

	@ControllerAdvice
	static class Asking {

		@ExceptionHandler
		@ResponseBody
		String handle(RateLimitExceededException denial) {
			ServletRequestAttributes bound = (ServletRequestAttributes) RequestContextHolder.currentRequestAttributes();
			return "denied " + bound.getRequest().getRequestURI();
		}

	}

	@ControllerAdvice
	static class Redirecting {

		@ExceptionHandler
		String slow(RateLimitExceededException denial, RedirectAttributes attributes) {
			attributes.addFlashAttribute("rule", denial.rule());
			return "redirect:/slow";
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
