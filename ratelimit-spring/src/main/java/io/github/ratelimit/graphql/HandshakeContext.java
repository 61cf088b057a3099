package io.github.ratelimit.graphql;

import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebSocketSessionInfo;

/**
 * Context of calls over the WebSocket of a servlet container: the request that has opened
 * it. Its response is complete, so no headers show their limits.
 *
 * @param session the WebSocket
 * @param user the authenticated user, if any
 * @param settings the settings of web requests
 */
record HandshakeContext(WebSocketSessionInfo session, @Nullable Principal user,
		WebRequests settings) implements CallContext {

	static Mono<CallContext> of(WebSocketSessionInfo session, WebRequests settings) {
		return session.getPrincipal()
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.map((user) -> new HandshakeContext(session, user.orElse(null), settings));
	}

	@Override
	public String ip() {
		InetSocketAddress remote = this.session.getRemoteAddress();
		if (remote == null) {
			throw new IllegalStateException("the address of the client is unknown");
		}
		String address = (remote.getAddress() != null) ? remote.getAddress().getHostAddress() : remote.getHostString();
		this.settings.forwarded().check(address, this::header);
		return ClientAddress.of(address, this.settings.ipv6Prefix());
	}

	@Override
	public @Nullable String principal() {
		return (this.user != null) ? this.user.getName() : null;
	}

	@Override
	public String path() {
		return RequestPaths.canonical(sentPath());
	}

	@Override
	public String sentPath() {
		return this.session.getUri().getRawPath();
	}

	@Override
	public @Nullable String header(String name) {
		return this.session.getHeaders().getFirst(name);
	}

	@Override
	public @Nullable String param(String name) {
		return QueryParameter.first(this.session.getUri().getRawQuery(), name);
	}

	@Override
	public @Nullable String cookie(String name) {
		String cookies = header("Cookie");
		return (cookies == null) ? null
				: Stream.of(cookies.split(";"))
					.map((cookie) -> cookie.trim().split("=", 2))
					.filter((cookie) -> cookie.length == 2 && cookie[0].equals(name))
					.map((cookie) -> cookie[1])
					.findFirst()
					.orElse(null);
	}

	@Override
	public @Nullable Object claim(String name) {
		return PrincipalClaims.find(this.user, name);
	}

	@Override
	public @Nullable String pathVariable(String name) {
		return null;
	}

	@Override
	public void decided(Decision decision) {
		// there is no response anymore
	}

}
