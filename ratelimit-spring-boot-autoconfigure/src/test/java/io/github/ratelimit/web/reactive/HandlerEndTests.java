package io.github.ratelimit.web.reactive;

import java.time.Clock;
import java.util.function.BiConsumer;

import io.github.ratelimit.Algorithm;
import io.github.ratelimit.RateLimiter;
import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.annotation.RateLimited;
import io.github.ratelimit.autoconfigure.LimitedApplication;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.local.LocalRateLimitStore;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls of handler methods whose result a server stops to read without canceling it, as
 * Netty does when a client disconnects early.
 */
class HandlerEndTests {

	private final CallContextBinding.OfHandlers filter = new CallContextBinding.OfHandlers(
			new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()), () -> false);

	private final ApplicationContextRunner application = LimitedApplication.runner()
		.withBean(RateLimitStore.class, () -> new LocalRateLimitStore(100))
		.withBean(Streams.class);

	@Test
	void completeResponseEndsTheCallOfItsHandlerMethod() {
		assertEndsWithItsResponse("stream", "handled",
				(streams, subscription) -> streams.handled().contextWrite(subscription).subscribe());
	}

	@Test
	void callWhoseResultIsCompleteLastsUntilItsResponseIs() {
		assertEndsWithItsResponse("finished", "finished",
				(streams, subscription) -> assertThat(streams.finished().contextWrite(subscription).blockLast())
					.isEqualTo("last"));
	}

	private void assertEndsWithItsResponse(String rule, String method, BiConsumer<Streams, ContextView> call) {
		this.application.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter(rule);
			Streams streams = context.getBean(Streams.class);
			HandlerMethod handler = new HandlerMethod(streams, method);
			request((exchange) -> Mono.deferContextual((subscription) -> {
				exchange.getAttributes().put(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE, handler);
				call.accept(streams, subscription);
				assertThat(limiter.peek("").remaining()).as("free slots during the response").isZero();
				return Mono.empty();
			}));
			assertThat(limiter.peek("").remaining()).as("free slots after the response").isOne();
		});
	}

	@Test
	void bodyThatAServerCancelsEndsTheCall() {
		this.application.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("stream");
			Streams streams = context.getBean(Streams.class);
			HandlerMethod handler = new HandlerMethod(streams, "handled");
			ServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/stream"));
			ServerHttpResponse canceling = new ServerHttpResponseDecorator(exchange.getResponse()) {

				@Override
				public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
					return Flux.from(body).take(1).then();
				}

			};
			this.filter.filter(exchange.mutate().response(canceling).build(),
					(request) -> Mono.deferContextual((subscription) -> {
						request.getAttributes().put(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE, handler);
						streams.handled().contextWrite(subscription).subscribe();
						assertThat(limiter.peek("").remaining()).isZero();
						DataBuffer first = request.getResponse().bufferFactory().wrap(new byte[1]);
						return request.getResponse()
							.writeWith(Flux.concat(Mono.just(first), Mono.never()))
							.then(Mono.never());
					}))
				.subscribe();
			assertThat(limiter.peek("").remaining()).isOne();
		});
	}

	@Test
	void largeBodyOfAnAwaitedCallHasItsLength() {
		this.application.run((context) -> {
			Streams streams = context.getBean(Streams.class);
			HandlerMethod handler = new HandlerMethod(streams, "handled");
			MockServerWebExchange exchange = request((request) -> Mono.deferContextual((subscription) -> {
				request.getAttributes().put(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE, handler);
				streams.handled().contextWrite(subscription).subscribe();
				DataBuffer body = request.getResponse().bufferFactory().wrap(new byte[20_000]);
				return request.getResponse().writeWith(Mono.just(body));
			}));
			assertThat(exchange.getResponse().getHeaders().getContentLength()).isEqualTo(20_000);
			assertThat(exchange.getResponse().getBodyAsString().block()).hasSize(20_000);
		});
	}

	@Test
	void callOfAnotherMethodMayOutliveTheResponse() {
		this.application.run((context) -> {
			RateLimiter limiter = context.getBean(RateLimiterRegistry.class).limiter("background");
			Streams streams = context.getBean(Streams.class);
			request((exchange) -> Mono.deferContextual((subscription) -> {
				streams.background().contextWrite(subscription).subscribe();
				return Mono.empty();
			}));
			assertThat(limiter.peek("").remaining()).as("free slots while the call runs").isZero();
		});
	}

	private MockServerWebExchange request(WebFilterChain handler) {
		MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/stream"));
		this.filter.filter(exchange, handler).block();
		return exchange;
	}

	static class Streams {

		@GetMapping("/stream")
		@RateLimited(name = "stream", key = "''", algorithm = Algorithm.CONCURRENCY, max = 1)
		public Flux<String> handled() {
			return Flux.never();
		}

		@GetMapping("/finished")
		@RateLimited(name = "finished", key = "''", algorithm = Algorithm.CONCURRENCY, max = 1)
		public Flux<String> finished() {
			return Flux.just("first", "last");
		}

		@RateLimited(name = "background", key = "''", algorithm = Algorithm.CONCURRENCY, max = 1)
		public Flux<String> background() {
			return Flux.never();
		}

	}

}
