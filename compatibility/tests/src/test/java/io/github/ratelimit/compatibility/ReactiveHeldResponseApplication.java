package io.github.ratelimit.compatibility;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.annotation.RateLimited;

/**
 * Application with the results of WebFlux as well.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import(HeldResponseApplication.class)
class ReactiveHeldResponseApplication {

	@Bean
	Routes routes() {
		return new Routes();
	}

	@Bean
	RouterFunction<ServerResponse> routing(Routes routes) {
		return RouterFunctions.route().GET("/route-of-file", routes::file).GET("/route-of-flux", routes::flux).build();
	}

	@RateLimited(name = "held", algorithm = Algorithm.CONCURRENCY, max = 1)
	@RateLimited(name = "counted", max = 10, period = 3600, unless = "#error == null")
	@RateLimited(name = "canceled", max = 10, period = 3600,
			unless = "#error?.class?.simpleName != 'CancellationException'")
	public static class Routes {

		public Mono<ServerResponse> file(ServerRequest request) {
			return ServerResponse.ok()
				.contentType(MediaType.APPLICATION_OCTET_STREAM)
				.body(BodyInserters.fromResource(HeldResponseApplication.FILE));
		}

		public Mono<ServerResponse> flux(ServerRequest request) {
			return ServerResponse.ok()
				.contentType(MediaType.APPLICATION_OCTET_STREAM)
				.body(HeldResponseApplication.buffers(), DataBuffer.class);
		}

	}

	@RestController
	@RateLimited(name = "held", algorithm = Algorithm.CONCURRENCY, max = 1)
	@RateLimited(name = "counted", max = 10, period = 3600, unless = "#error == null")
	@RateLimited(name = "canceled", max = 10, period = 3600,
			unless = "#error?.class?.simpleName != 'CancellationException'")
	public static class ReactiveController {

		@GetMapping(path = "/flux", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
		public Flux<DataBuffer> flux() {
			return HeldResponseApplication.buffers();
		}

		@GetMapping("/entity-of-flux")
		public ResponseEntity<Flux<DataBuffer>> entity() {
			return ResponseEntity.ok().contentType(MediaType.APPLICATION_OCTET_STREAM).body(flux());
		}

		@GetMapping("/mono-of-entity-of-flux")
		public Mono<ResponseEntity<Flux<DataBuffer>>> mono() {
			return Mono.delay(Duration.ofMillis(1)).map((tick) -> entity());
		}

		@GetMapping("/written")
		public Mono<Void> written(ServerWebExchange exchange) {
			return exchange.getResponse().writeWith(HeldResponseApplication.buffers());
		}

		@GetMapping("/written-at-once")
		public Mono<Void> writtenAtOnce(ServerWebExchange exchange) {
			return exchange.getResponse().writeWith(Mono.fromCallable(() -> buffer(exchange)));
		}

		@GetMapping("/flushed")
		public Mono<Void> flushed(ServerWebExchange exchange) {
			return exchange.getResponse().writeAndFlushWith(Flux.just(Mono.fromCallable(() -> buffer(exchange))));
		}

		@GetMapping("/mono-of-bytes")
		public Mono<byte[]> bytes() {
			return Mono.delay(Duration.ofMillis(1)).map((tick) -> new byte[HeldResponseApplication.SIZE]);
		}

		@GetMapping("/list")
		public Mono<List<Integer>> list() {
			return Mono.just(Collections.nCopies(100_000, 1));
		}

		private static DataBuffer buffer(ServerWebExchange exchange) {
			return exchange.getResponse().bufferFactory().wrap(new byte[HeldResponseApplication.SIZE]);
		}

	}

}
