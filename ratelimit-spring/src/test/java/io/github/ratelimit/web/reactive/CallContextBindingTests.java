package io.github.ratelimit.web.reactive;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A request is bound to a thread only while the thread works on it.
 */
class CallContextBindingTests {

	private final CallContextBinding binding = new CallContextBinding();

	private final ServerWebExchange exchange = exchange("/one");

	private final CallContext one = context(this.exchange);

	private final CallContext two = context(exchange("/two"));

	private final List<CallContext> seen = new ArrayList<>();

	@AfterEach
	void nothingIsLeftOnTheThread() {
		assertThat(this.binding.current()).isNull();
	}

	@Test
	void threadThatSubscribesSeesTheRequest() {
		CallContextBinding.bindSubscription(Mono.fromRunnable(this::observe), this.one).block();
		assertThat(this.seen).containsExactly(this.one);
	}

	@Test
	void assemblyDoesNotSeeTheRequest() {
		Mono<Void> assembled = CallContextBinding.bindSubscription(Mono.empty(), this.one);
		observe();
		assembled.block();
		observe();
		assertThat(this.seen).containsExactly(null, null);
	}

	@Test
	void subscriptionCarriesTheRequestToOtherThreads() {
		Mono<CallContext> carried = Mono.deferContextual((context) -> Mono.just(context.get(CallContext.class)));
		assertThat(CallContextBinding.bindSubscription(carried.subscribeOn(Schedulers.parallel()), this.one).block())
			.isSameAs(this.one);
	}

	@Test
	void otherThreadsDoNotSeeTheRequest() {
		Mono<Void> elsewhere = Mono.<Void>fromRunnable(this::observe).subscribeOn(Schedulers.parallel());
		CallContextBinding.bindSubscription(elsewhere, this.one).block();
		assertThat(this.seen).containsExactly((CallContext) null);
	}

	@Test
	void requestInsideARequestGivesWayToTheOuterOne() {
		Mono<Void> inner = CallContextBinding.bindSubscription(Mono.fromRunnable(this::observe), this.two);
		Mono<Void> outer = Mono.fromRunnable(() -> {
			inner.subscribe();
			observe();
		});
		CallContextBinding.bindSubscription(outer, this.one).block();
		assertThat(this.seen).containsExactly(this.two, this.one);
	}

	@Test
	void failingSubscriptionLeavesNothingBehind() {
		Mono<Void> failing = CallContextBinding.bindSubscription(Mono.defer(() -> {
			throw new IllegalStateException();
		}), this.one);
		assertThat(failing.onErrorComplete().block()).isNull();
	}

	@Test
	void threadThatDeliversTheBodySeesTheRequestWithEverySignal() {
		Sinks.Many<String> body = Sinks.many().unicast().onBackpressureBuffer();
		CallContextBinding.bindSignals(body.asFlux(), this.exchange).doOnEach((signal) -> observe()).subscribe();
		body.tryEmitNext("chunk").orThrow();
		assertThat(this.binding.current()).isNull();
		body.tryEmitComplete().orThrow();
		assertThat(this.seen).containsExactly(this.one, this.one);
	}

	@Test
	void contextOfAnotherFilterIsNotBoundWhenTheBodyArrives() {
		context(this.exchange);
		CallContextBinding.bindSignals(Flux.just("body"), this.exchange).doOnNext((body) -> observe()).blockLast();
		assertThat(this.seen).containsExactly(this.one);
	}

	@Test
	void threadThatDeliversAFailureSeesTheRequest() {
		CallContextBinding.bindSignals(Flux.error(new IllegalStateException()), this.exchange)
			.doOnError((failure) -> observe())
			.onErrorComplete()
			.blockLast();
		assertThat(this.seen).containsExactly(this.one);
	}

	private void observe() {
		this.seen.add(this.binding.current());
	}

	private static ServerWebExchange exchange(String path) {
		return MockServerWebExchange.from(MockServerHttpRequest.get(path));
	}

	private static CallContext context(ServerWebExchange exchange) {
		return new ReactiveCallContext(exchange, new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC()));
	}

}
