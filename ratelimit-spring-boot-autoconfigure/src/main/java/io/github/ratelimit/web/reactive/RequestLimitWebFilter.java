package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.RequestDemands;
import org.jspecify.annotations.Nullable;
import io.github.ratelimit.interceptor.ReactiveTurn;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.RequestRule;
import io.github.ratelimit.web.RequestRules;
import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Mono;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Filter that limits requests by their URL.
 *
 * @since 0.1.0
 */
public final class RequestLimitWebFilter implements WebFilter, Ordered {

	private final RequestRules rules;

	private final WebRequests settings;

	private final FailureDispatch failures;

	private final ApplicationContext context;

	private final int order;

	/**
	 * Create a new filter.
	 * @param rules the rules that apply to requests
	 * @param settings the settings of web requests
	 * @param failures answers requests that fail
	 * @param context the context whose server's requests are limited; without a server,
	 * those of the contexts below it
	 * @param order the order among other filters
	 */
	public RequestLimitWebFilter(RequestRules rules, WebRequests settings, FailureDispatch failures,
			ApplicationContext context, int order) {
		this.context = context;
		this.rules = rules;
		this.settings = settings;
		this.failures = failures;
		this.order = order;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		List<RequestRule> matching = matching(exchange);
		if (matching.isEmpty()) {
			return chain.filter(exchange);
		}
		Mono<Supplier<Mono<Void>>> next = decide(matching, exchange)
			.<Supplier<Mono<Void>>>map((end) -> () -> proceed(exchange, chain, end))
			.defaultIfEmpty(() -> proceed(exchange, chain));
		return next.onErrorResume((failure) -> Mono.just(() -> this.failures.handle(exchange, failure)))
			.flatMap(Supplier::get);
	}

	/**
	 * Return the rules of a request. A CORS preflight is not limited.
	 */
	private List<RequestRule> matching(ServerWebExchange exchange) {
		ServerHttpRequest request = exchange.getRequest();
		return (CorsUtils.isPreFlightRequest(request) || isOfOtherServer(exchange)) ? List.of() : this.rules
			.matching(request.getMethod().name(), RequestPaths.of(request.getPath().pathWithinApplication()));
	}

	/**
	 * Return whether another server received the request. The server of Spring Boot's
	 * separate management port has a child context and inherits the filters.
	 */
	private boolean isOfOtherServer(ServerWebExchange exchange) {
		ApplicationContext server = exchange.getApplicationContext();
		return server != null && server.getParent() == this.context
				&& this.context.getBeanNamesForType(HttpHandler.class, false, false).length > 0;
	}

	/**
	 * Decide a request.
	 * @return the end of an admitted request, empty if nothing has to be done then
	 */
	private Mono<CallEnd> decide(List<RequestRule> matching, ServerWebExchange exchange) {
		return ReactiveCallContext.withPrincipal(exchange, this.settings)
			.flatMap((context) -> decide(matching, context));
	}

	private Mono<CallEnd> decide(List<RequestRule> matching, CallContext request) {
		RequestDemands demands = this.rules.demands(matching, request);
		return demands.isEmpty() ? Mono.empty()
				: ReactiveTurn.of(() -> this.rules.acquireAsync(demands, request), demands.settle())
					.mapNotNull((decided) -> end(demands, decided));
	}

	private static @Nullable CallEnd end(RequestDemands demands, DecidedCall decided) {
		if (!decided.isAllowed()) {
			throw new RateLimitExceededException(decided.decision());
		}
		return demands.end(decided);
	}

	/**
	 * Proceed with a request that ends when its response is complete.
	 */
	private static Mono<Void> proceed(ServerWebExchange exchange, WebFilterChain chain, CallEnd end) {
		return Mono.deferContextual((subscription) -> {
			ResponseEnd response = subscription.<ResponseEnd>getOrEmpty(ResponseEnd.class).orElse(null);
			if (response != null) {
				response.add(end);
				return proceed(exchange, chain);
			}
			ResponseEnd ofChain = new ResponseEnd(exchange.getResponse());
			ofChain.add(end);
			return ofChain.follow(proceed(exchange, chain));
		});
	}

	/**
	 * Proceed with the request bound: the decision may have come on another thread.
	 */
	private static Mono<Void> proceed(ServerWebExchange exchange, WebFilterChain chain) {
		return Mono.deferContextual((subscription) -> {
			CallContext request = subscription.<CallContext>getOrEmpty(CallContext.class).orElse(null);
			Mono<Void> rest = chain.filter(exchange);
			return (request != null) ? CallContextBinding.bindSubscription(rest, request) : rest;
		});
	}

	@Override
	public int getOrder() {
		return this.order;
	}

}
