package io.github.ratelimit.graphql;

import java.net.URI;
import java.security.Principal;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestPaths;
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
import org.springframework.graphql.server.WebSocketSessionInfo;
import org.springframework.http.HttpHeaders;

/**
 * Requests of data fetchers, whatever thread they run on. A request over a WebSocket is
 * that of its handshake. It is part of the Reactor context that Spring for GraphQL
 * restores for each data fetcher.
 *
 * @since 0.1.0
 */
public record FetcherContexts(CallContextSource others, WebRequests settings,
		String contextPath) implements CallContextSource, WebGraphQlInterceptor, Ordered {

	private static final ThreadLocal<@Nullable CallContext> CURRENT = new ThreadLocal<>();

	public FetcherContexts {
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
					? HandshakeContext.of(message.getSessionInfo(), this.settings, this.contextPath)
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

	/**
	 * Context of calls over the WebSocket of a servlet container: the request that has
	 * opened it. Its response is complete, so no headers show their limits.
	 */
	private record HandshakeContext(WebSocketSessionInfo session, @Nullable Principal user, WebRequests settings,
			String contextPath) implements CallContext {

		static Mono<CallContext> of(WebSocketSessionInfo session, WebRequests settings, String contextPath) {
			return session.getPrincipal()
				.singleOptional()
				.map((user) -> new HandshakeContext(session, user.orElse(null), settings, contextPath));
		}

		@Override
		public @Nullable Object read(RequestPart part, String name) {
			URI uri = this.session.getUri();
			HttpHeaders headers = this.session.getHeaders();
			return switch (part) {
				case IP -> this.settings.clientAddress(this.session.getRemoteAddress(), headers::getFirst);
				case PRINCIPAL -> PrincipalClaims.nameOf(this.user);
				case PATH -> RequestPaths.canonical(path());
				case SENT_PATH -> path();
				case HEADER -> headers.getFirst(name);
				case PARAM -> QueryParameter.first(uri.getRawQuery(), name);
				case COOKIE -> cookie(headers.getFirst(HttpHeaders.COOKIE), name);
				case CLAIM -> PrincipalClaims.find(this.user, name);
				case PATH_VARIABLE -> null;
			};
		}

		private String path() {
			String sent = this.session.getUri().getRawPath();
			return sent.startsWith(this.contextPath + '/') ? sent.substring(this.contextPath.length()) : sent;
		}

		private static @Nullable String cookie(@Nullable String cookies, String name) {
			return (cookies == null) ? null
					: Stream.of(cookies.split(";"))
						.map((cookie) -> cookie.trim().split("=", 2))
						.filter((cookie) -> cookie.length == 2 && cookie[0].equals(name))
						.map((cookie) -> cookie[1])
						.findFirst()
						.orElse(null);
		}

		@Override
		public void decided(Decision decision) {
			// there is no response anymore
		}

	}

}
