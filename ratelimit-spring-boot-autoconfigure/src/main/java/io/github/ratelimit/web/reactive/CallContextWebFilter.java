package io.github.ratelimit.web.reactive;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.WebRequests;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Lets limited methods know the request they are called for.
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
		CallContext context = new ReactiveCallContext(exchange, this.settings);
		ServerHttpRequest request = new BoundRequest(exchange.getRequest(), context);
		return CallContextBinding.bindSubscription(chain.filter(exchange.mutate().request(request).build()), context);
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 100;
	}

	private static final class BoundRequest extends ServerHttpRequestDecorator {

		private final CallContext context;

		private BoundRequest(ServerHttpRequest request, CallContext context) {
			super(request);
			this.context = context;
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return CallContextBinding.bindSignals(super.getBody(), this.context);
		}

	}

}
