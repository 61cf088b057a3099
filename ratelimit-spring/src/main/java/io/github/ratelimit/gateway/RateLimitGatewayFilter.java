package io.github.ratelimit.gateway;

import java.util.Map;
import java.util.function.Supplier;

import io.github.ratelimit.interceptor.RequestOperation;
import io.github.ratelimit.web.reactive.ExchangeLimiter;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Filter that limits the requests of a route by one rule. A CORS preflight is not
 * limited. Gateway writes the response outside of the filters of its routes, so the
 * request ends with the response of the server.
 */
final class RateLimitGatewayFilter implements GatewayFilter {

	private final Map<String, String> arguments;

	private final Supplier<RequestOperation> operation;

	private final Supplier<ExchangeLimiter> limiter;

	RateLimitGatewayFilter(Map<String, String> arguments, Supplier<RequestOperation> operation,
			Supplier<ExchangeLimiter> limiter) {
		this.arguments = arguments;
		this.operation = operation;
		this.limiter = limiter;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
		if (CorsUtils.isPreFlightRequest(exchange.getRequest())) {
			return chain.filter(exchange);
		}
		return this.limiter.get().limit(exchange, (demands) -> demands.add(this.operation.get()), chain::filter);
	}

	/**
	 * Return the filter as Gateway's actuator endpoint shows it.
	 */
	@Override
	public String toString() {
		return '[' + RateLimitGatewayFilterFactory.NAME + ' ' + this.arguments + ']';
	}

}
