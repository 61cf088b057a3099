package io.github.ratelimit.web;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ServletRateLimitAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.http.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.autoconfigure.jackson.JacksonAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/**
 * Who answers a denial, whatever carries it and whoever would answer everything: 429 are
 * we, 418 a handler of the application that names it, 409 its handler of another
 * exception, 500 a handler of all exceptions.
 */
class AnswererTests {

	private static final RateLimitExceededException DENIAL = new RateLimitExceededException(
			new Decision(false, "reply", 5, 0, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO,
					List.of("reply"), List.of(), Decision.Origin.LOCAL));

	private static final Map<String, RuntimeException> THROWN = Map.of("denial", DENIAL, "joined",
			new CompletionException(DENIAL), "runtime", new RuntimeException(new RuntimeException(DENIAL)), "business",
			new BusinessException(DENIAL), "gone", new ResponseStatusException(HttpStatus.GONE, null, DENIAL), "other",
			new IllegalStateException());

	static Stream<Arguments> answers() {
		return Stream.of(arguments("/simple/denial", 429), arguments("/simple/joined", 429),
				arguments("/simple/runtime", 429), arguments("/simple/business", 429), arguments("/simple/gone", 429),
				arguments("/careful/denial", 429), arguments("/careful/joined", 429),
				arguments("/careful/business", 429), arguments("/careful/other", 500), arguments("/own/denial", 418),
				arguments("/own/joined", 418), arguments("/own/other", 500),
				arguments("/simple/denial", 429, CatchAll.class), arguments("/simple/joined", 429, CatchAll.class),
				arguments("/simple/denial", 429, FirstCatchAll.class),
				arguments("/simple/joined", 429, FirstCatchAll.class),
				arguments("/simple/business", 429, FirstCatchAll.class),
				arguments("/simple/other", 500, FirstCatchAll.class),
				arguments("/simple/denial", 418, CatchAll.class, Own.class),
				arguments("/simple/denial", 418, FirstCatchAll.class, Own.class),
				arguments("/simple/joined", 418, FirstCatchAll.class, Own.class),
				arguments("/own/denial", 418, FirstCatchAll.class, OfBusiness.class),
				arguments("/simple/denial", 429, OwnOfCareful.class),
				arguments("/simple/denial", 429, OwnOfCareful.class, FirstCatchAll.class),
				arguments("/careful/denial", 418, OwnOfCareful.class, FirstCatchAll.class),
				arguments("/careful/joined", 418, OwnOfCareful.class),
				arguments("/simple/business", 409, OfBusiness.class, FirstCatchAll.class),
				arguments("/simple/denial", 429, OfBusiness.class, FirstCatchAll.class));
	}

	private static Arguments arguments(String path, int status, Class<?>... advices) {
		return Arguments.of(path, status, List.of(advices));
	}

	@ParameterizedTest
	@MethodSource("answers")
	void springMvcAnswers(String path, int status, List<Class<?>> advices) {
		new WebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(RateLimitAutoConfiguration.class, ServletRateLimitAutoConfiguration.class,
							DispatcherServletAutoConfiguration.class, WebMvcAutoConfiguration.class,
							HttpMessageConvertersAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(advices.toArray(Class<?>[]::new))
			.withUserConfiguration(Simple.class, Careful.class, OwnController.class)
			.run((context) -> {
				MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
				assertThat(mvc.perform(get(path)).andReturn().getResponse().getStatus()).isEqualTo(status);
			});
	}

	@ParameterizedTest
	@MethodSource("answers")
	void webFluxAnswersWhatIsReturned(String path, int status, List<Class<?>> advices) {
		assertThat(webFluxStatus(path + "?later", advices)).isEqualTo(status);
	}

	/**
	 * A method that throws is answered in its controller first of all, and then by who
	 * has the highest precedence.
	 */
	@ParameterizedTest
	@MethodSource("answers")
	void webFluxAnswersWhatIsThrown(String path, int status, List<Class<?>> advices) {
		boolean beforeUs = (path.startsWith("/careful") || path.equals("/own/joined")
				|| advices.contains(FirstCatchAll.class)) && !path.equals("/own/denial");
		int known = beforeUs ? 500 : status;
		assertThat(webFluxStatus(path, advices)).isEqualTo(known);
	}

	private static int webFluxStatus(String path, List<Class<?>> advices) {
		MockServerHttpResponse response = new MockServerHttpResponse();
		new ReactiveWebApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class,
					ReactiveRateLimitAutoConfiguration.class, HttpHandlerAutoConfiguration.class,
					WebFluxAutoConfiguration.class, JacksonAutoConfiguration.class))
			.withUserConfiguration(advices.toArray(Class<?>[]::new))
			.withUserConfiguration(Simple.class, Careful.class, OwnController.class)
			.run((context) -> context.getBean(HttpHandler.class)
				.handle(MockServerHttpRequest.get(path).build(), response)
				.block());
		return (response.getStatusCode() != null) ? response.getStatusCode().value() : 200;
	}

	@RestController
	static class Simple {

		@GetMapping("/simple/{name}")
		void plain(@PathVariable("name") String name) {
			throw THROWN.get(name);
		}

		@GetMapping(path = "/simple/{name}", params = "later")
		Mono<String> later(@PathVariable("name") String name) {
			return Mono.error(THROWN.get(name));
		}

	}

	@RestController
	static class Careful {

		@GetMapping("/careful/{name}")
		void plain(@PathVariable("name") String name) {
			throw THROWN.get(name);
		}

		@GetMapping(path = "/careful/{name}", params = "later")
		Mono<String> later(@PathVariable("name") String name) {
			return Mono.error(THROWN.get(name));
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
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
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class FirstCatchAll extends CatchAll {

	}

	@ControllerAdvice
	static class Own {

		@ExceptionHandler
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		ProblemDetail exceeded(RateLimitExceededException exception) {
			return ProblemDetail.forStatus(HttpStatus.I_AM_A_TEAPOT);
		}

	}

	@RestController
	static class OwnController {

		@GetMapping("/own/{name}")
		void plain(@PathVariable("name") String name) {
			throw THROWN.get(name);
		}

		@GetMapping(path = "/own/{name}", params = "later")
		Mono<String> later(@PathVariable("name") String name) {
			return Mono.error(THROWN.get(name));
		}

		@ExceptionHandler(RateLimitExceededException.class)
		@ResponseStatus(HttpStatus.I_AM_A_TEAPOT)
		void exceeded() {
		}

		@ExceptionHandler(Exception.class)
		@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
		void all() {
		}

	}

	@ControllerAdvice(assignableTypes = Careful.class)
	static class OwnOfCareful extends Own {

	}

	@ControllerAdvice
	static class OfBusiness {

		@ExceptionHandler(BusinessException.class)
		@ResponseStatus(HttpStatus.CONFLICT)
		void business() {
		}

	}

	static class BusinessException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		BusinessException(Throwable cause) {
			super(cause);
		}

	}

}
