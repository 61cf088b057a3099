package io.github.ratelimit.web.reactive;

import java.lang.reflect.Method;
import java.security.Principal;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.HandledRequest;
import io.github.ratelimit.interceptor.RequestPart;
import io.github.ratelimit.web.PrincipalClaims;
import io.github.ratelimit.web.QueryParameter;
import io.github.ratelimit.web.RequestHandler;
import io.github.ratelimit.web.RequestLimits;
import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpCookie;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.server.ServerWebExchange;

/**
 * Context of calls in a WebFlux exchange. The thread that commits the response writes the
 * headers of the limits.
 */
record ReactiveCallContext(ServerWebExchange exchange, WebRequests settings,
		RequestLimits limits) implements HandledRequest {

	private static final String ATTRIBUTE = ReactiveCallContext.class.getName();

	private static final String LIMITS = RequestLimits.class.getName();

	private static final List<String> PATH_VARIABLES = List.of(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE,
			"org.springframework.cloud.gateway.support.ServerWebExchangeUtils.uriTemplateVariables");

	private static final String THROWN = ReactiveCallContext.class.getName() + ".THROWN";

	/** Create a context, while no other thread uses the exchange. */
	ReactiveCallContext(ServerWebExchange exchange, WebRequests settings) {
		this(exchange, settings, (RequestLimits) exchange.getAttributes()
			.computeIfAbsent(LIMITS, (name) -> limits(exchange.getResponse(), settings)));
		exchange.getAttributes().putIfAbsent(ATTRIBUTE, this);
	}

	private static RequestLimits limits(ServerHttpResponse response, WebRequests settings) {
		RequestLimits limits = new RequestLimits(settings);
		response.beforeCommit(() -> Mono.fromRunnable(() -> limits.write(response.getHeaders()::set)));
		return limits;
	}

	/** Note the context that is bound from now on. */
	static void bind(ServerWebExchange exchange, CallContext context) {
		exchange.getAttributes().put(ATTRIBUTE, context);
	}

	/** Return the context of an exchange that was bound last. */
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
			.singleOptional()
			.map((principal) -> new ReactiveCallContext(
					exchange.mutate().principal(Mono.justOrEmpty(principal)).build(), settings));
	}

	@Override
	public @Nullable Object read(RequestPart part, String name) {
		ServerHttpRequest request = this.exchange.getRequest();
		return switch (part) {
			case IP -> this.settings.clientAddress(request.getRemoteAddress(), request.getHeaders()::getFirst);
			case PRINCIPAL -> PrincipalClaims.nameOf(user());
			case PATH -> RequestPaths.canonical(request.getPath().pathWithinApplication().value());
			case SENT_PATH -> request.getPath().pathWithinApplication().value();
			case HEADER -> request.getHeaders().getFirst(name);
			case PARAM -> QueryParameter.first(request.getURI().getRawQuery(), name);
			case COOKIE ->
				Optional.ofNullable(request.getCookies().getFirst(name)).map(HttpCookie::getValue).orElse(null);
			case CLAIM -> PrincipalClaims.find(user(), name);
			case PATH_VARIABLE -> RequestHandler.pathVariable(name, this.exchange.getAttributes()::get, PATH_VARIABLES);
		};
	}

	private @Nullable Principal user() {
		CompletableFuture<Principal> principal = this.exchange.getPrincipal().toFuture();
		if (!principal.isDone()) {
			throw new IllegalStateException("the principal of this request is not known yet");
		}
		return principal.join();
	}

	@Override
	public String targetPath() {
		return this.exchange.getRequest().getPath().value();
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

	static @Nullable RateLimitException thrown(ServerWebExchange exchange) {
		return exchange.getAttribute(THROWN);
	}

}
