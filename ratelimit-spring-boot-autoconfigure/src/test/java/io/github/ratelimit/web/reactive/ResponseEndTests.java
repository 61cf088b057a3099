package io.github.ratelimit.web.reactive;

import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.autoconfigure.RateLimitAutoConfiguration;
import io.github.ratelimit.autoconfigure.ReactiveRateLimitAutoConfiguration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Processor;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.web.reactive.HttpHandlerAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.reactive.AbstractListenerServerHttpResponse;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends of responses of WebFlux that fail on a servlet container.
 */
class ResponseEndTests {

	private final ReactiveWebApplicationContextRunner runner = new ReactiveWebApplicationContextRunner()
		.withConfiguration(
				AutoConfigurations.of(RateLimitAutoConfiguration.class, ReactiveRateLimitAutoConfiguration.class,
						HttpHandlerAutoConfiguration.class, WebFluxAutoConfiguration.class))
		.withBean(Routes.class)
		.withPropertyValues("ratelimit.store=local", "ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60",
				"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api",
				"ratelimit.web.requests[0].unless=status < 400");

	/**
	 * The container answers a failure with the status 500 unless it has begun to send
	 * another response.
	 */
	@ParameterizedTest
	@CsvSource({ "false, 1", "true, 2" })
	void failureAfterAWriteHasTheStatusThatTheClientGets(boolean sent, long remaining) {
		MockHttpServletResponse container = new MockHttpServletResponse();
		container.setCommitted(sent);
		this.runner.run((context) -> {
			Mono<Void> handled = context.getBean(HttpHandler.class)
				.handle(MockServerHttpRequest.get("/failing").build(), new ContainerResponse(container));
			assertThat(handled.materialize().block().hasError()).isTrue();
			assertThat(context.getBean(RateLimiterRegistry.class).limiter("api").peek("").remaining())
				.isEqualTo(remaining);
		});
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void endOfAResponseIsKnownIfRulesNeedIt(boolean needed) {
		AtomicBoolean known = new AtomicBoolean();
		HttpHandler handler = new ResponseEndDecorator(() -> needed)
			.apply((request, response) -> Mono.deferContextual((context) -> {
				known.set(context.hasKey(ResponseEndDecorator.End.class));
				return Mono.empty();
			}));
		handler.handle(MockServerHttpRequest.get("/").build(), new ContainerResponse(new MockHttpServletResponse()))
			.block();
		assertThat(known.get()).isEqualTo(needed);
	}

	static class Routes {

		@Bean
		RouterFunction<ServerResponse> routes() {
			return RouterFunctions.route()
				.GET("/failing", (request) -> failAfterCommit(request.exchange().getResponse()))
				.build();
		}

	}

	private static Mono<ServerResponse> failAfterCommit(ServerHttpResponse response) {
		response.setStatusCode(HttpStatus.OK);
		return response.setComplete().then(Mono.error(new IllegalStateException("failed")));
	}

	/**
	 * Response of a servlet container, whose headers are not sent with the commit.
	 */
	private static final class ContainerResponse extends AbstractListenerServerHttpResponse {

		private final MockHttpServletResponse container;

		ContainerResponse(MockHttpServletResponse container) {
			super(DefaultDataBufferFactory.sharedInstance);
			this.container = container;
		}

		@Override
		@SuppressWarnings("unchecked")
		public <T> T getNativeResponse() {
			return (T) this.container;
		}

		@Override
		protected void applyStatusCode() {
		}

		@Override
		protected void applyHeaders() {
		}

		@Override
		protected void applyCookies() {
		}

		@Override
		protected Processor<? super Publisher<? extends DataBuffer>, Void> createBodyFlushProcessor() {
			throw new UnsupportedOperationException();
		}

	}

}
