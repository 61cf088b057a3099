package io.github.ratelimit.gateway;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import io.github.ratelimit.autoconfigure.GatewayRateLimitAutoConfiguration;
import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory.Config;
import io.github.ratelimit.store.RateLimitStore;
import io.github.ratelimit.store.RecordingStore;
import io.github.ratelimit.web.WebStack;
import io.github.ratelimit.web.reactive.RequestLimitWebFilter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;
import org.springframework.mock.web.server.MockServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Filter of routes, which decides as URL rules do. The store answers on another thread,
 * as Redis does.
 */
class RateLimitGatewayFilterTests {

	private final RecordingStore store = new RecordingStore();

	private final ReactiveWebApplicationContextRunner runner = WebStack.reactiveRunner()
		.withConfiguration(AutoConfigurations.of(GatewayRateLimitAutoConfiguration.class))
		.withBean(RateLimitStore.class, () -> this.store)
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60");

	@Test
	void answersShowTheLimit() {
		run((arguments) -> arguments.setRule("api"), (filter) -> {
			MockServerHttpResponse admitted = send(filter, request());
			assertThat(admitted.getStatusCode()).isEqualTo(HttpStatus.OK);
			assertThat(admitted.getHeaders().getFirst("RateLimit-Policy")).isEqualTo("\"api\";q=2;w=60");
			assertThat(admitted.getHeaders().getFirst("RateLimit")).isEqualTo("\"api\";r=1;t=60");
			send(filter, request());
			MockServerHttpResponse denied = send(filter, request());
			assertThat(denied.getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
			assertThat(denied.getHeaders().getFirst("Retry-After")).matches("\\d+");
			assertThat(denied.getHeaders().getFirst("RateLimit")).matches("\"api\";r=0;t=\\d+");
			assertThat(denied.getHeaders().getFirst("Content-Type")).isEqualTo("application/problem+json");
			assertThat(denied.getBodyAsString().block()).contains("#quota-exceeded", "\"instance\":\"/items\"");
		});
	}

	@ParameterizedTest
	@CsvSource({ "header('X-Api-Key'), k1", "ip, 192.0.2.1", "path, /items" })
	void keyDeterminesTheCounter(String key, String counted) {
		run((arguments) -> arguments.setRule("api").setKey(key).setCost("2"), (filter) -> {
			send(filter, request().header("X-Api-Key", "k1"));
			assertThat(this.store.calls()).containsExactly(List.of("api:" + counted));
			assertThat(this.store.demands()).singleElement()
				.satisfies((demand) -> assertThat(demand.cost()).isEqualTo(2));
		});
	}

	@Test
	void requestWithoutKeyIsAnsweredWith400AndNotCounted() {
		run((arguments) -> arguments.setRule("api").setKey("header('X-Api-Key')"), (filter) -> {
			assertThat(send(filter, request()).getStatusCode()).isEqualTo(HttpStatus.BAD_REQUEST);
			assertThat(this.store.calls()).isEmpty();
		});
	}

	@Test
	void unitsAreGivenBackWhenTheResponseIsComplete() {
		run((arguments) -> arguments.setUnless("status < 400").setRule("api"), (filter) -> {
			send(filter, request());
			assertThat(this.store.refunded()).containsExactly("api:");
		});
	}

	@Test
	void answers503WhenTheStoreIsDownAndThePolicyIsDeny() {
		this.store.fail();
		run((arguments) -> arguments.setRule("api"), (filter) -> {
			MockServerHttpResponse answer = send(filter, request());
			assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
			assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo("1");
		}, "ratelimit.defaults.on-store-failure=deny");
	}

	@Test
	void requestThatPassesSeveralTimesIsCountedOnce() {
		run((arguments) -> arguments.setRule("api").setKey("ip"), (filter) -> {
			MockServerWebExchange exchange = MockServerWebExchange.from(request());
			filter.filter(exchange, (again) -> filter.filter(again, (end) -> Mono.empty())).block();
			filter.filter(exchange, (end) -> Mono.empty()).block();
			assertThat(this.store.calls()).hasSize(1);
		});
	}

	@Test
	void denialIsNotRetried() {
		run((arguments) -> arguments.setRule("api"), (filter) -> {
			send(filter, request());
			send(filter, request());
			MockServerWebExchange exchange = MockServerWebExchange.from(request());
			Mono.defer(() -> filter.filter(exchange, (end) -> Mono.empty())).repeat(3).then().block();
			assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.TOO_MANY_REQUESTS);
			assertThat(this.store.calls()).hasSize(3);
		});
	}

	@Test
	void urlRuleOfTheSameCounterCountsTheRequestAlone() {
		this.runner
			.withPropertyValues("ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=api",
					"ratelimit.web.requests[0].key=ip")
			.run((context) -> {
				GatewayFilter sameKey = context.getBean(RateLimitGatewayFilterFactory.class)
					.apply((arguments) -> arguments.setRule("api").setKey("ip"));
				GatewayFilter otherKey = context.getBean(RateLimitGatewayFilterFactory.class)
					.apply((arguments) -> arguments.setRule("api").setKey("path"));
				context.getBean(RequestLimitWebFilter.class)
					.filter(MockServerWebExchange.from(request()),
							(exchange) -> sameKey.filter(exchange,
									(next) -> otherKey.filter(next, (end) -> Mono.empty())))
					.block();
				assertThat(this.store.calls()).containsExactly(List.of("api:192.0.2.1"), List.of("api:/items"));
			});
	}

	@Test
	void preflightIsNotLimited() {
		run((arguments) -> arguments.setRule("api"), (filter) -> {
			send(filter,
					MockServerHttpRequest.options("/items")
						.header("Origin", "https://example.org")
						.header("Access-Control-Request-Method", "GET"));
			assertThat(this.store.calls()).isEmpty();
		});
	}

	@Test
	void responsesAreFollowedOnceARouteHasAFilter() {
		this.runner.run((context) -> {
			RouteLimits limits = context.getBean(RouteLimits.class);
			assertThat(limits.areUsed()).isFalse();
			context.getBean(RateLimitGatewayFilterFactory.class).apply((arguments) -> arguments.setRule("api"));
			assertThat(limits.areUsed()).isTrue();
		});
	}

	@Test
	void argumentsAreAMapInWhichTheLastValueCounts() {
		Config arguments = new Config();
		assertThat(arguments.put("rule", "api")).isNull();
		assertThat(arguments.put("rule", "orders")).isEqualTo("api");
		assertThat(arguments).containsExactly(Map.entry("rule", "orders"));
	}

	@Test
	void nothingIsLimitedWhenDisabled() {
		run((arguments) -> arguments.setRule("api"), (filter) -> {
			send(filter, request());
			assertThat(this.store.calls()).isEmpty();
		}, "ratelimit.enabled=false");
	}

	private void run(Consumer<Config> arguments, Consumer<GatewayFilter> test, String... properties) {
		this.runner.withPropertyValues(properties)
			.run((context) -> test.accept(context.getBean(RateLimitGatewayFilterFactory.class).apply(arguments)));
	}

	private static MockServerHttpRequest.BaseBuilder<?> request() {
		return MockServerHttpRequest.get("/items").remoteAddress(new InetSocketAddress("192.0.2.1", 4711));
	}

	private static MockServerHttpResponse send(GatewayFilter filter, MockServerHttpRequest.BaseBuilder<?> request) {
		MockServerWebExchange exchange = MockServerWebExchange.from(request);
		filter.filter(exchange, (end) -> {
			end.getResponse().setStatusCode(HttpStatus.OK);
			return end.getResponse().setComplete();
		}).block();
		return exchange.getResponse();
	}

}
