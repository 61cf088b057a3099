package io.github.ratelimit.web;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.store.RecordingStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.accept.ContentNegotiationManager;
import org.springframework.web.accept.FixedContentNegotiationStrategy;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.view.ContentNegotiatingViewResolver;

/**
 * Handlers of denials that produce one media type: they answer clients that accept it,
 * and the rate limiter answers all others.
 */
class ProducedMediaTypeTests {

	static Stream<Arguments> applications() {
		return Stream.of(WebStack.SPRING_MVC, WebStack.WEB_FLUX)
			.flatMap((stack) -> Stream.of(Arguments.of(stack, List.of(Pages.class)),
					Arguments.of(stack, List.of(Pages.class, CatchAll.class)),
					Arguments.of(stack, List.of(PagesAndAll.class))));
	}

	@ParameterizedTest
	@MethodSource("applications")
	void answerTheClientsThatAcceptIt(WebStack stack, List<Class<?>> advices) {
		List<Class<?>> configuration = new ArrayList<>(advices);
		configuration.add(Controller.class);
		stack.run(new RecordingStore(), configuration, (client) -> {
			client.get().uri("/limited").exchange().expectStatus().isOk();
			answers(client, "text/html", 418);
			answers(client, "application/json", 429);
			answers(client, "text/html, application/json;q=0.1", 418);
			answers(client, "*/*", 418);
			answers(client, "nonsense", 418);
			answers(client, "/careful", "text/html", 418);
			answers(client, "/careful", "application/json", 429);
		});
	}

	@Test
	void viewsMayHaveAContentNegotiationManagerOfTheirOwn() {
		WebStack.SPRING_MVC.run(new RecordingStore(), List.of(Pages.class, Controller.class, Views.class), (client) -> {
			client.get().uri("/limited").exchange().expectStatus().isOk();
			answers(client, "text/html", 418);
			answers(client, "application/json", 429);
		});
	}

	private static void answers(WebTestClient client, String accept, int status) {
		answers(client, "/limited", accept, status);
	}

	private static void answers(WebTestClient client, String path, String accept, int status) {
		client.get().uri(path).header("Accept", accept).exchange().expectStatus().isEqualTo(status);
	}

	@RestController
	static class Controller {

		@GetMapping("/limited")
		@RateLimited(name = "limited", max = 1, period = 3600)
		public String limited() {
			return "done";
		}

		@GetMapping("/careful")
		@RateLimited(name = "limited", max = 1, period = 3600)
		public String careful() {
			return "done";
		}

	}

	static class Views {

		@Bean
		ContentNegotiatingViewResolver views() {
			ContentNegotiatingViewResolver views = new ContentNegotiatingViewResolver();
			views.setContentNegotiationManager(mediaTypesOfViews());
			return views;
		}

		@Bean
		ContentNegotiationManager mediaTypesOfViews() {
			return new ContentNegotiationManager(new FixedContentNegotiationStrategy(MediaType.TEXT_HTML));
		}

	}

	@ControllerAdvice
	static class Pages {

		@ExceptionHandler(exception = RateLimitExceededException.class, produces = "text/html")
		ResponseEntity<String> exceeded() {
			return ResponseEntity.status(HttpStatus.I_AM_A_TEAPOT).body("<p>later</p>");
		}

	}

	@ControllerAdvice
	static class PagesAndAll extends Pages {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> all() {
			return ResponseEntity.status(HttpStatus.INTERNAL_SERVER_ERROR).build();
		}

	}

	@ControllerAdvice
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static class CatchAll {

		@ExceptionHandler(Exception.class)
		ResponseEntity<String> all() {
			return ResponseEntity.status(HttpStatus.INTERNAL_SERVER_ERROR).build();
		}

	}

}
