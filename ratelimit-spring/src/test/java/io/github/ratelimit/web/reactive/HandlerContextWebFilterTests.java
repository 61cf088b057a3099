package io.github.ratelimit.web.reactive;

import java.security.Principal;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.HeaderFormat;
import io.github.ratelimit.web.WebRequests;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Data of a request that limited methods see after other filters. Spring Security puts
 * the principal into the subscription, as the exchange here does.
 */
class HandlerContextWebFilterTests {

	private final WebRequests settings = new WebRequests(HeaderFormat.IETF, 64, Clock.systemUTC());

	private final CallContextBinding binding = new CallContextBinding();

	private final AtomicInteger lookUps = new AtomicInteger();

	private final List<Object> seen = new ArrayList<>();

	private final Mono<Principal> principal = Mono.deferContextual((subscription) -> {
		this.lookUps.incrementAndGet();
		return Mono.justOrEmpty(subscription.<String>getOrEmpty("user")).map((name) -> () -> name);
	});

	@Test
	void subscriptionSeesTheAuthenticatedUser() {
		request(this.principal, (exchange) -> observe());
		assertThat(this.seen).containsExactly("laoqian");
	}

	@Test
	void threadThatContinuesSeesTheAuthenticatedUser() {
		request(this.principal.publishOn(Schedulers.parallel()), (exchange) -> lookAtThread());
		assertThat(this.seen).containsExactly("laoqian");
	}

	@Test
	void threadThatDeliversTheBodySeesTheAuthenticatedUser() {
		request(this.principal, (exchange) -> exchange.getRequest().getBody().then(lookAtThread()));
		assertThat(this.seen).containsExactly("laoqian");
	}

	@Test
	void threadThatDeliversWhatAFilterAskedForSeesTheAuthenticatedUser() {
		CallContextBinding.OfHandlers last = new CallContextBinding.OfHandlers(this.settings, () -> true);
		new CallContextBinding.OfFilters(this.settings).filter(exchange(Mono.empty()),
				(exchange) -> last.filter(exchange.mutate().principal(Mono.just(() -> "laoqian")).build(),
						(bound) -> exchange.getSession().then(lookAtThread())))
			.block();
		assertThat(this.seen).containsExactly("laoqian");
	}

	@Test
	void threadThatDeliversAPartOfTheRequestSeesTheAuthenticatedUser() {
		request(this.principal, (exchange) -> Flux
			.just(exchange.getFormData(), exchange.getMultipartData(), exchange.getSession(), exchange.getPrincipal())
			.concatMap((part) -> part.then(lookAtThread()).subscribeOn(Schedulers.parallel()))
			.then());
		assertThat(this.seen).containsExactly("laoqian", "laoqian", "laoqian", "laoqian");
	}

	@Test
	void nobodyIsAuthenticatedWithoutPrincipal() {
		request(Mono.empty(), (exchange) -> observe());
		assertThat(this.seen).containsExactly((String) null);
	}

	@Test
	void principalIsNotLookedUpWhenNoMethodUsesIt() {
		ServerWebExchange exchange = exchange(this.principal);
		new CallContextBinding.OfHandlers(this.settings, () -> false)
			.filter(exchange,
					(bound) -> Mono
						.fromRunnable(() -> this.seen.add(this.binding.current().read(RequestPart.PATH, ""))))
			.block();
		assertThat(this.seen).containsExactly("/replies");
		assertThat(this.lookUps).hasValue(0);
	}

	private void request(Mono<Principal> principal, WebFilterChain handler) {
		CallContextBinding.OfHandlers last = new CallContextBinding.OfHandlers(this.settings, () -> true);
		new CallContextBinding.OfFilters(this.settings)
			.filter(exchange(Mono.empty()),
					(exchange) -> last.filter(exchange.mutate().principal(principal).build(), handler))
			.contextWrite((subscription) -> subscription.put("user", "laoqian"))
			.block();
	}

	private Mono<Void> observe() {
		return Mono.deferContextual((subscription) -> {
			this.seen.add(subscription.get(CallContext.class).read(RequestPart.PRINCIPAL, ""));
			return Mono.empty();
		});
	}

	private Mono<Void> lookAtThread() {
		return Mono.fromRunnable(() -> this.seen.add(this.binding.current().read(RequestPart.PRINCIPAL, "")));
	}

	private static ServerWebExchange exchange(Mono<Principal> principal) {
		return MockServerWebExchange.from(MockServerHttpRequest.post("/replies").body("replied"))
			.mutate()
			.principal(principal)
			.build();
	}

}
