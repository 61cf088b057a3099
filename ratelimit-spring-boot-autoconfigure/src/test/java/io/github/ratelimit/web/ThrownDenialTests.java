package io.github.ratelimit.web;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.web.ExceptionHandlersTests.BusinessException;
import io.github.ratelimit.web.ExceptionHandlersTests.FirstCatchAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Answer of WebFlux to a denial that a limited method throws, regardless of the catch-all
 * handlers exist. 429 is the answer of the rate limiter, 418 of a handler that names the
 * denial, 409 of a handler of another exception, 500 of a catch-all handler.
 */
class ThrownDenialTests {

	static Stream<Arguments> answers() {
		return Stream.of(arguments("/plain", 429), arguments("/careful", 429), arguments("/careful/inside", 429),
				arguments("/careful/caught", 200), arguments("/careful/join", 429), arguments("/careful/get", 429),
				arguments("/careful/business", 409), arguments("/own", 418), arguments("/careful/join", 418, Own.class),
				arguments("/careful/get", 429, FirstCatchAll.class), arguments("/plain", 429, FirstCatchAll.class),
				arguments("/careful", 429, FirstCatchAll.class), arguments("/own", 418, FirstCatchAll.class),
				arguments("/plain", 418, FirstCatchAll.class, Own.class),
				arguments("/careful", 418, FirstCatchAll.class, Own.class),
				arguments("/translated", 409, TranslatingCatchAll.class));
	}

	private static Arguments arguments(String path, int status, Class<?>... advices) {
		return Arguments.of(path, status, List.of(advices));
	}

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
				ReactiveRateLimitAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
				WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class, AopAutoConfiguration.class))
		.withUserConfiguration(Service.class, StageService.class, Plain.class, Careful.class, OwnController.class,
				Translated.class);

	@ParameterizedTest
	@MethodSource("answers")
	void isNotLeftToHandlersOfAllExceptions(String path, int status, List<Class<?>> advices) {
		this.runner.withUserConfiguration(advices.toArray(Class<?>[]::new)).run((context) -> {
			HttpHandler application = context.getBean(HttpHandler.class);
			assertThat(status(application, path)).isEqualTo(200);
			MockServerHttpResponse denied = new MockServerHttpResponse();
			application.handle(MockServerHttpRequest.get(path).build(), denied).block();
			assertThat(status(denied)).isEqualTo(status);
			if (status == 429) {
				assertThat(denied.getHeaders().getFirst("Retry-After")).isNotNull();
				assertThat(denied.getBodyAsString().block()).contains("\"status\":429");
			}
		});
	}

	@Test
	void failsTheResponseThatHasBegun() {
		this.runner.run((context) -> {
			HttpHandler application = context.getBean(HttpHandler.class);
			assertThat(status(application, "/rows")).isEqualTo(200);
			assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(() -> status(application, "/rows"));
		});
	}

	private static int status(HttpHandler application, String path) {
		MockServerHttpResponse response = new MockServerHttpResponse();
		application.handle(MockServerHttpRequest.get(path).build(), response).block();
		return status(response);
	}

	private static int status(MockServerHttpResponse response) {
		return (response.getStatusCode() != null) ? response.getStatusCode().value() : 200;
	}

	static class Service {

		@RateLimited(name = "service", max = 1, period = 60)
		String call() {
			return "called";
		}

	}

	static class StageService {

		@RateLimited(name = "stage", max = 1, period = 60)
		CompletableFuture<String> call() {
			return CompletableFuture.completedFuture("called");
		}

	}

	@RestController
	static class Plain {

		@GetMapping("/plain")
		@RateLimited(name = "plain", max = 1, period = 60)
		String call() {
			return "called";
		}

	}

	@RestController
	static class Careful {

		private final Service service;

		private final StageService stages;

		Careful(Service service, StageService stages) {
			this.service = service;
			this.stages = stages;
		}

		@GetMapping("/careful")
		@RateLimited(name = "careful", max = 1, period = 60)
		String call() {
			return "called";
		}

		@GetMapping("/careful/inside")
		String inside() {
			return this.service.call();
		}

		@GetMapping("/careful/caught")
		String caught() {
			try {
				return this.service.call();
			}
			catch (RateLimitExceededException ex) {
				return "caught";
			}
		}

		@GetMapping("/careful/join")
		String join() {
			return this.stages.call().join();
		}

		@GetMapping(path = "/rows", produces = MediaType.APPLICATION_NDJSON_VALUE)
		Flux<Object> rows() {
			return Flux.<Object>just(Map.of("row", 1)).concatWith(Mono.fromFuture(this.stages::call));
		}

		@GetMapping("/careful/get")
		String get() throws Exception {
			return this.stages.call().get();
		}

		@GetMapping("/careful/business")
		String business() {
			try {
				return this.service.call();
			}
			catch (RateLimitExceededException ex) {
				throw new BusinessException(ex);
			}
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String all(Exception exception) {
			return "failed";
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.CONFLICT)
		String business(BusinessException exception) {
			return "conflict";
		}

	}

	@RestController
	static class Translated {

		private final Service service;

		Translated(Service service) {
			this.service = service;
		}

		@GetMapping("/translated")
		String call() {
			try {
				return this.service.call();
			}
			catch (RateLimitExceededException ex) {
				throw new IllegalStateException("Too many");
			}
		}

	}

	@RestController
	static class OwnController {

		@GetMapping("/own")
		@RateLimited(name = "own", max = 1, period = 60)
		String call() {
			return "called";
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		String denied(RateLimitExceededException exception) {
			return "denied";
		}

		@ExceptionHandler
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		String all(Exception exception) {
			return "failed";
		}

	}

	@ControllerAdvice
	static class TranslatingCatchAll {

		@ExceptionHandler
		ResponseEntity<String> all(Exception exception) {
			return ResponseEntity.status(HttpStatus.CONFLICT).body(exception.getMessage());
		}

	}

	@ControllerAdvice
	static class Own {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void exceeded(RateLimitExceededException exception) {
		}

	}

}
