package io.github.ratelimit.web;

import java.util.stream.Collectors;
import java.util.function.Consumer;
import java.util.ArrayList;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.store.RecordingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;

/**
 * Handler that answers a denial, regardless of the exception that wraps it and of the
 * catch-all handlers exist. 429 is the answer of the rate limiter, 418 of an
 * application's handler that names the denial, 409 of its handler of another exception,
 * 500 of a catch-all handler.
 */
class ExceptionHandlersTests {

	private static final RateLimitExceededException DENIAL = new RateLimitExceededException(
			new Decision(false, "reply", 5, 0, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, List.of(),
					Decision.Origin.LOCAL, List.of(new Decision.Denial("reply"))));

	private static final Map<String, RuntimeException> THROWN = Map.of("denial", DENIAL, "joined",
			new CompletionException(DENIAL), "runtime", new RuntimeException(new RuntimeException(DENIAL)), "business",
			new BusinessException(DENIAL), "gone", new ResponseStatusException(HttpStatus.GONE, null, DENIAL), "other",
			new IllegalStateException());

	private static Stream<Answer> answers() {
		return Stream.of(answer("/simple/denial", 429), answer("/simple/joined", 429), answer("/simple/runtime", 429),
				answer("/simple/business", 429), answer("/simple/gone", 429), answer("/careful/denial", 429),
				answer("/careful/joined", 429), answer("/careful/business", 429), answer("/careful/other", 500),
				answer("/own/denial", 418), answer("/own/joined", 418), answer("/own/other", 500),
				answer("/simple/denial", 429, CatchAll.class), answer("/simple/joined", 429, CatchAll.class),
				answer("/simple/denial", 429, FirstCatchAll.class), answer("/simple/joined", 429, FirstCatchAll.class),
				answer("/simple/business", 429, FirstCatchAll.class), answer("/simple/other", 500, FirstCatchAll.class),
				answer("/simple/denial", 418, CatchAll.class, Own.class),
				answer("/simple/denial", 418, FirstCatchAll.class, Own.class),
				answer("/simple/joined", 418, FirstCatchAll.class, Own.class),
				answer("/own/denial", 418, FirstCatchAll.class, OfBusiness.class),
				answer("/simple/denial", 429, OwnOfCareful.class),
				answer("/simple/denial", 429, OwnOfCareful.class, FirstCatchAll.class),
				answer("/careful/denial", 418, OwnOfCareful.class, FirstCatchAll.class),
				answer("/careful/joined", 418, OwnOfCareful.class),
				answer("/simple/business", 409, OfBusiness.class, FirstCatchAll.class),
				answer("/simple/denial", 429, OfBusiness.class, FirstCatchAll.class));
	}

	private static Answer answer(String path, int status, Class<?>... advices) {
		return new Answer(path, status, List.of(advices));
	}

	/**
	 * Return each application, by its advices, with its expected answers.
	 */
	static Stream<Arguments> applications() {
		return answers().collect(Collectors.groupingBy(Answer::advices))
			.entrySet()
			.stream()
			.map((application) -> Arguments.of(application.getKey(), application.getValue()));
	}

	@ParameterizedTest(name = "with {0}")
	@MethodSource("applications")
	void springMvcAnswers(List<Class<?>> advices, List<Answer> answers) {
		run(WebStack.SPRING_MVC, advices, (client) -> assertThat(answers)
			.allSatisfy((answer) -> assertThat(status(client, answer.path())).isEqualTo(answer.status())));
	}

	@ParameterizedTest(name = "with {0}")
	@MethodSource("applications")
	void webFluxAnswersReturnedAndThrownExceptions(List<Class<?>> advices, List<Answer> answers) {
		run(WebStack.WEB_FLUX, advices, (client) -> assertThat(answers).allSatisfy((answer) -> {
			assertThat(status(client, answer.path() + "?later")).isEqualTo(answer.status());
			assertThat(status(client, answer.path())).isEqualTo(isAnsweredByOthers(answer) ? 500 : answer.status());
		}));
	}

	@Test
	void springMvcPassesTheMethodThatFailed() {
		run(WebStack.SPRING_MVC, List.of(Telling.class, TellingController.class),
				(client) -> assertThat(List.of("/simple/denial", "/telling")).allSatisfy((path) -> client.get()
					.uri(path)
					.exchange()
					.expectStatus()
					.isEqualTo(HttpStatus.I_AM_A_TEAPOT)
					.expectHeader()
					.valueEquals("Method", path.equals("/telling") ? "told" : "plain")));
	}

	/**
	 * Return whether WebFlux answers a thrown exception by a catch-all: a failed method
	 * is answered by its controller first, then by the advice with the highest
	 * precedence.
	 */
	private static boolean isAnsweredByOthers(Answer answer) {
		return !answer.path().equals("/own/denial") && (answer.path().startsWith("/careful")
				|| answer.path().equals("/own/joined") || answer.advices().contains(FirstCatchAll.class));
	}

	private static void run(WebStack stack, List<Class<?>> advices, Consumer<WebTestClient> test) {
		List<Class<?>> configuration = new ArrayList<>(advices);
		configuration.addAll(List.of(Simple.class, Careful.class, OwnController.class));
		stack.run(new RecordingStore(), configuration, test);
	}

	private static int status(WebTestClient client, String path) {
		return client.get().uri(path).exchange().returnResult(Void.class).getStatus().value();
	}

	abstract static class Throwing {

		@GetMapping("/{name}")
		void plain(@PathVariable("name") String name) {
			throw THROWN.get(name);
		}

		@GetMapping(path = "/{name}", params = "later")
		Mono<String> later(@PathVariable("name") String name) {
			return Mono.error(THROWN.get(name));
		}

	}

	@RestController
	@RequestMapping("/simple")
	static class Simple extends Throwing {

	}

	@RestController
	@RequestMapping("/careful")
	static class Careful extends Throwing {

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
	@RequestMapping("/own")
	static class OwnController extends Throwing {

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

	static class Teller {

		@ExceptionHandler
		ResponseEntity<Void> tell(RateLimitExceededException exception, HandlerMethod failed) {
			return ResponseEntity.status(HttpStatus.I_AM_A_TEAPOT)
				.header("Method", failed.getMethod().getName())
				.build();
		}

	}

	@ControllerAdvice
	static class Telling extends Teller {

	}

	@RestController
	static class TellingController extends Teller {

		@GetMapping("/telling")
		void told() {
			throw DENIAL;
		}

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

	private record Answer(String path, int status, List<Class<?>> advices) {

	}

}
