package io.github.ratelimit.web.reactive;

import java.lang.reflect.Method;
import java.net.InetSocketAddress;
import java.security.Principal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.HandledRequest;
import io.github.ratelimit.web.ClientAddress;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestHandler;
import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpCookie;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * Context of calls in a WebFlux exchange. The thread that commits the response writes the
 * headers of the limits.
 */
final class ReactiveCallContext implements HandledRequest {

	private static final String ATTRIBUTE = ReactiveCallContext.class.getName();

	private static final String LIMITS = RequestLimits.class.getName();

	/**
	 * Attributes with the variables in the path of a handler and in that of a gateway's
	 * route.
	 */
	private static final List<String> PATH_VARIABLES = List.of(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE,
			"org.springframework.cloud.gateway.support.ServerWebExchangeUtils.uriTemplateVariables");

	private static final String THROWN = ReactiveCallContext.class.getName() + ".THROWN";

	private final ServerWebExchange exchange;

	private final WebRequests settings;

	private final RequestLimits limits;

	/**
	 * Create a context, while no other thread uses the exchange.
	 */
	ReactiveCallContext(ServerWebExchange exchange, WebRequests settings) {
		this.exchange = exchange;
		this.settings = settings;
		exchange.getAttributes().putIfAbsent(ATTRIBUTE, this);
		this.limits = (RequestLimits) exchange.getAttributes()
			.computeIfAbsent(LIMITS, (name) -> limits(exchange.getResponse(), settings));
	}

	private static RequestLimits limits(ServerHttpResponse response, WebRequests settings) {
		RequestLimits limits = new RequestLimits(settings);
		response.beforeCommit(() -> Mono.fromRunnable(() -> limits.write(response.getHeaders()::set)));
		return limits;
	}

	/**
	 * Return the context that filters have of an exchange.
	 */
	static @Nullable CallContext of(ServerWebExchange exchange) {
		return exchange.getAttribute(ATTRIBUTE);
	}

	/**
	 * Record a decision that was made without this context, on another thread for
	 * example.
	 */
	static void decided(ServerWebExchange exchange, Decision decision) {
		if (exchange.getAttributes().get(LIMITS) instanceof RequestLimits limits) {
			limits.add(decision);
		}
	}

	/**
	 * Create a context with the principal, which is available only in the subscription of
	 * the request.
	 */
	static Mono<CallContext> withPrincipal(ServerWebExchange exchange, WebRequests settings) {
		return exchange.getPrincipal()
			.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.map((principal) -> new ReactiveCallContext(
					exchange.mutate().principal(Mono.justOrEmpty(principal)).build(), settings));
	}

	@Override
	public String ip() {
		InetSocketAddress remote = this.exchange.getRequest().getRemoteAddress();
		if (remote == null) {
			throw new IllegalStateException("the address of the client is unknown");
		}
		String address = (remote.getAddress() != null) ? remote.getAddress().getHostAddress() : remote.getHostString();
		this.settings.forwarded().check(address, this::header);
		return ClientAddress.of(address, this.settings.ipv6Prefix());
	}

	@Override
	public @Nullable String principal() {
		Principal user = user();
		return (user != null) ? user.getName() : null;
	}

	private @Nullable Principal user() {
		CompletableFuture<Principal> principal = this.exchange.getPrincipal().toFuture();
		if (!principal.isDone()) {
			throw new IllegalStateException("the principal of this request is not known yet");
		}
		return principal.join();
	}

	@Override
	public String path() {
		return RequestPaths.canonical(sentPath());
	}

	@Override
	public String sentPath() {
		return this.exchange.getRequest().getPath().pathWithinApplication().value();
	}

	@Override
	public String targetPath() {
		return this.exchange.getRequest().getPath().value();
	}

	@Override
	public @Nullable String header(String name) {
		return this.exchange.getRequest().getHeaders().getFirst(name);
	}

	@Override
	public @Nullable String param(String name) {
		return QueryParameter.first(this.exchange.getRequest().getURI().getRawQuery(), name);
	}

	@Override
	public @Nullable String cookie(String name) {
		HttpCookie cookie = this.exchange.getRequest().getCookies().getFirst(name);
		return (cookie != null) ? cookie.getValue() : null;
	}

	@Override
	public @Nullable Object claim(String name) {
		return PrincipalClaims.find(user(), name);
	}

	@Override
	public @Nullable String pathVariable(String name) {
		for (String attribute : PATH_VARIABLES) {
			if (this.exchange.getAttribute(attribute) instanceof Map<?, ?> all && all.get(name) != null) {
				return (String) all.get(name);
			}
		}
		return null;
	}

	@Override
	public boolean isHandledBy(Method method) {
		return RequestHandler.is(this.exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE), method);
	}

	@Override
	public boolean endWithResponse(CallEnd end) {
		return HandlerEnd.add(this.exchange, end);
	}

	@Override
	public void decided(Decision decision) {
		this.limits.add(decision);
	}

	@Override
	public void failed(RateLimitException failure) {
		this.exchange.getAttributes().put(THROWN, failure);
	}

	/**
	 * Return the last failure that a limited method of the exchange has thrown.
	 */
	static @Nullable RateLimitException thrown(ServerWebExchange exchange) {
		return exchange.getAttribute(THROWN);
	}

}
