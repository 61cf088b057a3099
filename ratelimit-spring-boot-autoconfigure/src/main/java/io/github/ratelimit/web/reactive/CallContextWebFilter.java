package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets limited methods that filters call know the request. What handlers call knows more,
 * by {@link HandlerContextWebFilter}.
 *
 * @since 0.1.0
 */
public final class CallContextWebFilter implements WebFilter, Ordered {

	private final WebRequests settings;

	/**
	 * Create a new filter.
	 * @param settings how requests are looked at and answered
	 */
	public CallContextWebFilter(WebRequests settings) {
		this.settings = settings;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return CallContextBinding.bindExchange(exchange, chain, new ReactiveCallContext(exchange, this.settings));
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 100;
	}

}
