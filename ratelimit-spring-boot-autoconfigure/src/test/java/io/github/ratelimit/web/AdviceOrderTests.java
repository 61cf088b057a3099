package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.ExceptionHandlersTests.CatchAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/**
 * Order of exception handlers: first the application's handler of that exception, then
 * the advice of the rate limiter, never the application's catch-all handler.
 */
class AdviceOrderTests {

	@ParameterizedTest
	@MethodSource("advices")
	void springMvcAnswers(List<Class<?>> advices, int exceeded, int unavailable) {
		answers(WebStack.SPRING_MVC, advices, exceeded, unavailable);
	}

	@ParameterizedTest
	@MethodSource("advices")
	void webFluxAnswers(List<Class<?>> advices, int exceeded, int unavailable) {
		answers(WebStack.WEB_FLUX, advices, exceeded, unavailable);
	}

	private static void answers(WebStack stack, List<Class<?>> advices, int exceeded, int unavailable) {
		List<Class<?>> configuration = new ArrayList<>(List.of(Controller.class));
		configuration.addAll(advices);
		stack.run(new RecordingStore(), configuration, (client) -> {
			client.get().uri("/limited").exchange().expectStatus().isOk();
			client.get().uri("/limited").exchange().expectStatus().isEqualTo(exceeded);
			client.get().uri("/unavailable").exchange().expectStatus().isEqualTo(unavailable);
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
