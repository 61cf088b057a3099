package io.github.ratelimit.web.reactive;

import java.util.function.BooleanSupplier;

import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Filter that provides the request to limited methods called by handlers, as all other
 * filters leave it: with its principal, and bound to its thread. It follows the response
 * to its end.
 *
 * @param settings the settings of web requests
 * @param mayUsePrincipal whether a limited method may use the principal; if not, no
 * session is read for it
 * @since 0.1.0
 */
public record HandlerContextWebFilter(WebRequests settings,
		BooleanSupplier mayUsePrincipal) implements WebFilter, Ordered {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		HandlerEnd end = HandlerEnd.of(exchange);
		ServerWebExchange followed = exchange.mutate().response(FollowedResponse.of(exchange, end)).build();
		return end.follow(this.mayUsePrincipal.getAsBoolean()
				? ReactiveCallContext.withPrincipal(exchange, this.settings)
					.flatMap((context) -> CallContextBinding.bindExchange(followed, chain, context))
				: CallContextBinding.bindExchange(followed, chain, new ReactiveCallContext(exchange, this.settings)));
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
