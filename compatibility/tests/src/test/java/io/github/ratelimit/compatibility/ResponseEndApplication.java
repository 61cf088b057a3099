package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.annotation.RateLimited;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/**
 * Application whose responses end in every way, on any server.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ResponseEndApplication {

	@Bean
	ResponseEnds ends() {
		return new ResponseEnds();
	}

	@RestController
	@RateLimited(name = "method", max = 10, period = 3600, unless = "@ends.ofMethod(#result, #error)")
	public static class Controller {

		@GetMapping("/status/{code}")
		public ResponseEntity<String> status(@PathVariable int code) {
			return ResponseEntity.status(code).body("body");
		}

		@GetMapping("/failing")
		public String failing() {
			throw new IllegalStateException("on purpose");
		}

		@GetMapping("/handled")
		public String handled() {
			throw new UnsupportedOperationException("on purpose");
		}

		@GetMapping("/mono")
		public Mono<String> mono() {
			return Mono.delay(Duration.ofMillis(1)).thenReturn("later");
		}

		@GetMapping("/failing-mono")
		public Mono<String> failingMono() {
			return Mono.delay(Duration.ofMillis(1)).then(Mono.error(new IllegalStateException("on purpose")));
		}

		@GetMapping("/handled-mono")
		public Mono<String> handledMono() {
			return Mono.delay(Duration.ofMillis(1)).then(Mono.error(new UnsupportedOperationException("on purpose")));
		}

		@GetMapping("/future")
		public CompletableFuture<String> future() {
			return CompletableFuture.supplyAsync(() -> "later");
		}

		@GetMapping("/flux")
		public Flux<String> flux() {
			return Flux.just("one", "two").delayElements(Duration.ofMillis(1));
		}

		@GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
		public Flux<String> stream() {
			return Flux.interval(Duration.ZERO, Duration.ofMillis(10)).map(String::valueOf).onBackpressureDrop();
		}

		@GetMapping("/entity-of-stream")
		public ResponseEntity<Flux<String>> entityOfStream() {
			return ResponseEntity.ok().contentType(MediaType.TEXT_EVENT_STREAM).body(stream());
		}

		@GetMapping("/mono-of-stream")
		public Mono<ResponseEntity<Flux<String>>> monoOfStream() {
			return Mono.delay(Duration.ofMillis(1)).thenReturn(entityOfStream());
		}

		@GetMapping("/future-of-stream")
		public CompletableFuture<ResponseEntity<Flux<String>>> futureOfStream() {
			return CompletableFuture.supplyAsync(this::entityOfStream);
		}

		@GetMapping("/never")
		public Mono<String> never() {
			return Mono.never();
		}

		@ExceptionHandler
		ResponseEntity<String> handle(UnsupportedOperationException failure) {
			return ResponseEntity.status(409).body("conflict");
		}

	}

}
