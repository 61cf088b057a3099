package io.github.ratelimit.graphql;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.web.WebRequests;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.graphql.server.WebGraphQlInterceptor;
import org.springframework.graphql.server.WebGraphQlRequest;
import org.springframework.graphql.server.WebGraphQlResponse;
import org.springframework.graphql.server.WebSocketGraphQlRequest;

/**
 * Requests of data fetchers, whatever thread they run on. A request over a WebSocket is
 * that of its handshake. It is part of the Reactor context that Spring for GraphQL
 * restores for each data fetcher.
 *
 * @since 0.1.0
 */
public final class FetcherContexts implements CallContextSource, WebGraphQlInterceptor, Ordered {

	private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

	private final CallContextSource others;

	private final WebRequests settings;

	public FetcherContexts(CallContextSource others, WebRequests settings) {
		this.others = others;
		this.settings = settings;
		Accessor.register();
	}

	@Override
	public @Nullable CallContext current() {
		CallContext current = CURRENT.get();
		return (current != null) ? current : this.others.current();
	}

	@Override
	public Mono<WebGraphQlResponse> intercept(WebGraphQlRequest request, Chain chain) {
		return Mono.deferContextual((context) -> {
			if (context.hasKey(CallContext.class)) {
				return chain.next(request);
			}
			CallContext current = current();
			if (current != null) {
				return proceed(current, request, chain);
			}
			return (request instanceof WebSocketGraphQlRequest message)
					? HandshakeContext.of(message.getSessionInfo(), this.settings)
						.flatMap((opened) -> proceed(opened, request, chain))
					: chain.next(request);
		});
	}

	private static Mono<WebGraphQlResponse> proceed(CallContext call, WebGraphQlRequest request, Chain chain) {
		return chain.next(request).contextWrite((context) -> context.put(CallContext.class, call));
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	private static final class Accessor implements ThreadLocalAccessor<CallContext> {

		static void register() {
			ContextRegistry.getInstance().registerThreadLocalAccessor(new Accessor());
		}

		@Override
		public Object key() {
			return CallContext.class;
		}

		@Override
		public @Nullable CallContext getValue() {
			return CURRENT.get();
		}

		@Override
		public void setValue(CallContext value) {
			CURRENT.set(value);
		}

		@Override
		public void setValue() {
			CURRENT.remove();
		}

	}

}
