package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.CallLimiter;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.interceptor.ReactiveTurn;
import io.github.ratelimit.interceptor.RequestDemands;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * Limiter of WebFlux exchanges on their way through filters. It proceeds with an admitted
 * request, at once or when its turn has come, and answers a denied one. A request takes
 * from a counter once, however many filters it passes, and however often: Spring Cloud
 * Gateway repeats its filters for retries and forwards.
 *
 * @since 0.1.0
 */
public record ExchangeLimiter(Supplier<CallLimiter> limiter, WebRequests settings, FailureDispatch failures) {

	private static final String TAKEN = ExchangeLimiter.class.getName() + ".TAKEN";

	public Mono<Void> limit(ServerWebExchange exchange, List<RateLimitOperation> rules,
			Function<ServerWebExchange, Mono<Void>> rest) {
		Mono<Supplier<Mono<Void>>> next = decide(exchange, rules)
			.<Supplier<Mono<Void>>>map((end) -> () -> proceed(exchange, rest, end))
			.defaultIfEmpty(() -> proceed(exchange, rest));
		return next.onErrorResume((failure) -> Mono.just(() -> this.failures.handle(exchange, failure)))
			.flatMap(Supplier::get);
	}

	/**
	 * Decide a request.
	 * @return the end of an admitted request, empty if nothing has to be done then
	 */
	private Mono<CallEnd> decide(ServerWebExchange exchange, List<RateLimitOperation> rules) {
		return context(exchange, rules).flatMap((context) -> {
			RequestDemands demands = new RequestDemands(context, exchange.getAttribute(TAKEN));
			rules.forEach(demands::add);
			return demands.isEmpty() ? Mono.empty()
					: ReactiveTurn.of(() -> this.limiter.get().acquireAsync(demands.all(), context), demands.settle())
						.mapNotNull((decided) -> admitted(exchange, demands, decided));
		});
	}

	/** Create the context of a request. The principal may come from a session store. */
	private Mono<CallContext> context(ServerWebExchange exchange, List<RateLimitOperation> rules) {
		return rules.stream().anyMatch(RateLimitOperation::mayUsePrincipal)
				? ReactiveCallContext.withPrincipal(exchange, this.settings)
				: Mono.fromSupplier(() -> new ReactiveCallContext(exchange, this.settings));
	}

	private static @Nullable CallEnd admitted(ServerWebExchange exchange, RequestDemands demands, DecidedCall decided) {
		if (!decided.isAllowed()) {
			throw new RateLimitExceededException(decided.decision());
		}
		exchange.getAttributes().put(TAKEN, demands);
		return demands.end(decided);
	}

	private static Mono<Void> proceed(ServerWebExchange exchange, Function<ServerWebExchange, Mono<Void>> rest,
			CallEnd end) {
		HandlerEnd.await(exchange);
		return Mono.deferContextual((subscription) -> {
			ResponseEndDecorator.End response = subscription.<ResponseEndDecorator.End>getOrEmpty(
					ResponseEndDecorator.End.class)
				.orElseGet(() -> new ResponseEndDecorator.End(exchange.getResponse()));
			response.add(end);
			Mono<Void> proceeding = proceed(exchange, rest);
			return subscription.hasKey(ResponseEndDecorator.End.class) ? proceeding : response.follow(proceeding);
		});
	}

	/** Proceed with the request bound: the decision may have come on another thread. */
	private static Mono<Void> proceed(ServerWebExchange exchange, Function<ServerWebExchange, Mono<Void>> rest) {
		return Mono.deferContextual((subscription) -> {
			CallContext request = subscription.<CallContext>getOrEmpty(CallContext.class).orElse(null);
			Mono<Void> proceeding = rest.apply(exchange);
			return (request != null) ? CallContextBinding.bindSubscription(proceeding, request) : proceeding;
		});
	}

}
