package io.github.ratelimit.web.reactive;

import java.util.function.BooleanSupplier;

import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets limited methods that handlers call know the request as all other filters leave it:
 * who is authenticated, and on which thread it goes on.
 *
 * @since 0.1.0
 */
public final class HandlerContextWebFilter implements WebFilter, Ordered {

	private final WebRequests settings;

	private final BooleanSupplier askingForPrincipal;

	/**
	 * Create a new filter.
	 * @param settings how requests are looked at and answered
	 * @param askingForPrincipal whether a limited method may ask who is authenticated; if
	 * not, no session is read for it
	 */
	public HandlerContextWebFilter(WebRequests settings, BooleanSupplier askingForPrincipal) {
		this.settings = settings;
		this.askingForPrincipal = askingForPrincipal;
	}

	@Override
	public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
		return this.askingForPrincipal.getAsBoolean()
				? ReactiveCallContext.withPrincipal(exchange, this.settings)
					.flatMap((context) -> CallContextBinding.bindExchange(exchange, chain, context))
				: CallContextBinding.bindExchange(exchange, chain, new ReactiveCallContext(exchange, this.settings));
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
