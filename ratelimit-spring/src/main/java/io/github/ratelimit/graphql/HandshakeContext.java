package io.github.ratelimit.graphql;

import java.net.URI;
import java.security.Principal;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.ratelimit.Decision;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.server.WebSocketSessionInfo;
import org.springframework.http.HttpHeaders;

/**
 * Context of calls over the WebSocket of a servlet container: the request that has opened
 * it. Its response is complete, so no headers show their limits.
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
	public @Nullable Object read(RequestPart part, String name) {
		URI uri = this.session.getUri();
		HttpHeaders headers = this.session.getHeaders();
		return switch (part) {
			case IP -> this.settings.clientAddress(this.session.getRemoteAddress(), headers::getFirst);
			case PRINCIPAL -> PrincipalClaims.nameOf(this.user);
			case PATH -> RequestPaths.canonical(uri.getRawPath());
			case SENT_PATH -> uri.getRawPath();
			case HEADER -> headers.getFirst(name);
			case PARAM -> QueryParameter.first(uri.getRawQuery(), name);
			case COOKIE -> cookie(headers.getFirst(HttpHeaders.COOKIE), name);
			case CLAIM -> PrincipalClaims.find(this.user, name);
			case PATH_VARIABLE -> null;
		};
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
