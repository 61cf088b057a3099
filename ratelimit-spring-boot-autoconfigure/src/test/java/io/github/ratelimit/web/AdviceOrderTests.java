package io.github.ratelimit.web;

import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/**
 * Who answers: the application's handler for just our exception, then we, and never its
 * handler for everything.
 */
class AdviceOrderTests {

	@ParameterizedTest
	@MethodSource("advices")
	void springMvcAnswers(List<Class<?>> advices, int exceeded, int unavailable) {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
							DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
							HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(Controller.class)
			.withUserConfiguration(advices.toArray(Class<?>[]::new))
			.run((context) -> {
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
				assertThat(mvc.perform(get("/limited")).andReturn().getResponse().getStatus()).isEqualTo(200);
				assertThat(mvc.perform(get("/limited")).andReturn().getResponse().getStatus()).isEqualTo(exceeded);
				assertThat(mvc.perform(get("/unavailable")).andReturn().getResponse().getStatus())
					.isEqualTo(unavailable);
			});
	}

	@ParameterizedTest
	@MethodSource("advices")
	void webFluxAnswers(List<Class<?>> advices, int exceeded, int unavailable) {
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					ReactiveRateLimitAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
					WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(Controller.class)
			.withUserConfiguration(advices.toArray(Class<?>[]::new))
			.run((context) -> {
				HttpHandler handler = context.getBean(HttpHandler.class);
				assertThat(status(handler, "/limited")).isEqualTo(200);
				assertThat(status(handler, "/limited")).isEqualTo(exceeded);
				assertThat(status(handler, "/unavailable")).isEqualTo(unavailable);
			});
	}

	static Stream<Arguments> advices() {
		return Stream.of(arguments(429, 503), arguments(429, 503, CatchAll.class),
				arguments(429, 503, FirstCatchAll.class), arguments(418, 503, OwnExceeded.class),
				arguments(418, 503, OwnExceededByParameter.class), arguments(418, 503, OwnExceededAmongAll.class),
				arguments(418, 418, OwnOfBoth.class), arguments(429, 418, OwnUnavailable.class),
				arguments(418, 503, OwnExceeded.class, SecondCatchAll.class));
	}

	private static Arguments arguments(int exceeded, int unavailable, Class<?>... advices) {
		return Arguments.of(List.of(advices), exceeded, unavailable);
	}

	private static int status(HttpHandler handler, String path) {
		MockServerHttpResponse response = new MockServerHttpResponse();
		handler.handle(MockServerHttpRequest.get(path).build(), response).block();
		HttpStatusCode status = response.getStatusCode();
		return (status != null) ? status.value() : 200;
	}

	@RestController
	static class Controller {

		@GetMapping("/limited")
		@RateLimited(max = 1, period = 3600)
		public String limited() {
			return "done";
		}

		@GetMapping("/unavailable")
		String unavailable() {
			throw new RateLimiterUnavailableException("reply", null);
		}

	}

	@ControllerAdvice
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@ControllerAdvice
	@Order(1)
	static class FirstCatchAll extends CatchAll {

	}

	@ControllerAdvice
	@Order(2)
	static class SecondCatchAll extends CatchAll {

	}

	@ControllerAdvice
	@Order(1)
	static class OwnExceeded {

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void exceeded() {
		}

	}

	@ControllerAdvice
	static class OwnExceededByParameter {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void exceeded(RateLimitExceededException exception) {
		}

	}

	@ControllerAdvice
	static class OwnExceededAmongAll extends CatchAll {

		@ExceptionHandler({ IllegalStateException.class, RateLimitExceededException.class })
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void exceeded() {
		}

	}

	@ControllerAdvice
	static class OwnOfBoth {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void any(RateLimitException exception) {
		}

	}

	@ControllerAdvice
	static class OwnUnavailable {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void unavailable(RateLimiterUnavailableException exception) {
		}

	}

}
