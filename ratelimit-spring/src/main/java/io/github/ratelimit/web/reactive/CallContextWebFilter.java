package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Filter that provides the request to limited methods called by filters. For those called
 * by handlers, {@link HandlerContextWebFilter} adds the principal.
 *
 * @since 0.1.0
 */
public record CallContextWebFilter(WebRequests settings) implements WebFilter, Ordered {

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return CallContextBinding.bindExchange(exchange, chain, new ReactiveCallContext(exchange, this.settings));
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 100;
	}

}
