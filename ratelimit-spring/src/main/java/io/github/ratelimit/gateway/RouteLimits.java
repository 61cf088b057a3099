package io.github.ratelimit.gateway;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.ratelimit.gateway.RateLimitGatewayFilterFactory.Config;
import io.github.ratelimit.interceptor.LateVerifications;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.reactive.ExchangeLimiter;
import reactor.core.publisher.Mono;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.reactive.CorsUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * Limits of routes. During startup, filters are created before annotations have defined
 * their rules, so the arguments of filters are verified at its end; those of filters that
 * are created later, when routes are refreshed, at once.
 *
 * @since 0.1.0
 */
public final class RouteLimits {

	private final Function<Config, RateLimitOperation> compiler;

	private final Supplier<ExchangeLimiter> limiter;

	private final LateVerifications verifications = new LateVerifications();

	private volatile boolean used;

	public RouteLimits(Function<Config, RateLimitOperation> compiler, Supplier<ExchangeLimiter> limiter) {
		this.compiler = compiler;
		this.limiter = SingletonSupplier.of(limiter);
	}

	public GatewayFilter filter(Config config) {
		Supplier<RateLimitOperation> operation = SingletonSupplier.of(() -> this.compiler.apply(config));
		this.verifications.add(operation::get);
		this.used = true;
		return new Filter(config, operation, this.limiter);
	}

	public void start(Consumer<Runnable> attempt) {
		this.verifications.start(attempt);
	}

	public boolean areUsed() {
		return this.used;
	}

	/**
	 * Filter that limits the requests of a route by one rule. A CORS preflight is not
	 * limited. Gateway writes the response outside of the filters of its routes, so the
	 * request ends with the response of the server. One that has its answer, which may be
	 * a denial that is retried, does not go on.
	 */
	private record Filter(Config arguments, Supplier<RateLimitOperation> operation,
			Supplier<ExchangeLimiter> limiter) implements GatewayFilter {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
			if (exchange.getResponse().isCommitted()) {
				return Mono.empty();
			}
			if (CorsUtils.isPreFlightRequest(exchange.getRequest())) {
				return chain.filter(exchange);
			}
			return this.limiter.get().limit(exchange, List.of(this.operation.get()), chain::filter);
		}

		@Override
		public String toString() {
			return '[' + RateLimitGatewayFilterFactory.NAME + ' ' + this.arguments + ']';
		}

	}

}
