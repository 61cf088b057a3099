package io.github.ratelimit.web.servlet;

import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.WebStack;
import jakarta.servlet.Filter;

import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.request;

/**
 * Application with Spring MVC whose requests are limited by URL.
 */
abstract class LimitedRequestsTest {

	final RecordingStore store = new RecordingStore();

	final WebApplicationContextRunner runner = WebStack.servletRunner()
		.withBean(RateLimitStore.class, () -> this.store)
		.withBean(Controller.class)
		.withBean(Routes.class)
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60", "ratelimit.rules.all.max=9",
				"ratelimit.rules.all.period=60");

	static String[] all(String... more) {
		String[] all = { "[0].path=/api/**", "[0].rule=api" };
		return Stream.of(all, more).flatMap(Stream::of).toArray(String[]::new);
	}

	static String[] properties(String... requests) {
		return Stream.of(requests).map("ratelimit.web.requests"::concat).toArray(String[]::new);
	}

	void run(String[] requests, Requests test, String... properties) {
		this.runner.withBean("names", String.class, () -> "names")
			.withPropertyValues(properties(requests))
			.withPropertyValues(properties)
			.run((context) -> test.run(MockMvcBuilders.webAppContextSetup(context)
				.addFilters(context.getBean(LimitHeadersFilter.class), filter(context))
				.build()));
	}

	static Filter filter(ApplicationContext context) {
		return registration(context).getFilter();
	}

	static FilterRegistrationBean<?> registration(ApplicationContext context) {
		return context.getBean("rateLimitRequestFilter", FilterRegistrationBean.class);
	}

	interface Requests {

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

}
