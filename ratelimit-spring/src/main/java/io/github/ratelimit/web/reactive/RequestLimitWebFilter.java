package io.github.ratelimit.web.reactive;

import java.util.List;

import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.RequestRule;
import io.github.ratelimit.web.RequestRuleMatcher;
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
 * @param rules the rules of requests
 * @param limiter limits the requests that match some
 * @param context the context whose server's requests are limited; without a server, those
 * of the contexts below it
 * @param order the order among other filters
 * @since 0.1.0
 */
public record RequestLimitWebFilter(RequestRuleMatcher rules, ExchangeLimiter limiter, ApplicationContext context,
		int order) implements WebFilter, Ordered {

	public RequestLimitWebFilter(RequestRuleMatcher rules, WebRequests settings, FailureDispatch failures,
			ApplicationContext context, int order) {
		this(rules, new ExchangeLimiter(rules.limiter(), settings, failures), context, order);
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		List<RequestRule> matching = matching(exchange);
		if (matching.isEmpty()) {
			return chain.filter(exchange);
		}
		return this.limiter.limit(exchange, matching.stream().map(RequestRule::operation).toList(), chain::filter);
	}

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

	@Override
	public int getOrder() {
		return this.order;
	}

}
