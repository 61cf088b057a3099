package io.github.ratelimit.gateway.mvc;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.interceptor.LateVerifications;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.servlet.ServletLimiter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.GatewayServerResponse;
import org.springframework.http.HttpStatus;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Limiter of the requests of routes, on any thread. A CORS preflight is not limited. A
 * denial is a response to the filters in front, a circuit breaker for example, which
 * Spring MVC answers as that of a handler. During startup, filters are created before
 * annotations have defined their rules, so their arguments are verified at its end.
 *
 * @since 0.1.0
 */
public record RouteLimiter(BiFunction<@Nullable String, Map<String, String>, RateLimitOperation> compiler,
		Supplier<ServletLimiter> limiter, LateVerifications verifications) {

	public RouteLimiter(BiFunction<@Nullable String, Map<String, String>, RateLimitOperation> compiler,
			Supplier<ServletLimiter> limiter) {
		this(compiler, SingletonSupplier.of(limiter), new LateVerifications());
	}

	public HandlerFilterFunction<ServerResponse, ServerResponse> filter(@Nullable String route,
			Map<String, String> arguments) {
		Supplier<RateLimitOperation> operation = SingletonSupplier.of(() -> this.compiler.apply(route, arguments));
		this.verifications.add(operation::get);
		return (request, next) -> handle(request, next, operation);
	}

	/**
	 * Create a filter that Gateway has read from properties. It finds its limiter with a
	 * request.
	 */
	static HandlerFilterFunction<ServerResponse, ServerResponse> ofProperties(Map<String, String> arguments) {
		AtomicReference<@Nullable RateLimitOperation> compiled = new AtomicReference<>();
		return (request, next) -> {
			RouteLimiter limiter = MvcUtils.getApplicationContext(request)
				.getBeanProvider(RouteLimiter.class)
				.getIfAvailable();
			return (limiter != null)
					? limiter.handle(request, next, () -> limiter.operation(compiled, request, arguments))
					: next.handle(request);
		};
	}

	private RateLimitOperation operation(AtomicReference<@Nullable RateLimitOperation> compiled, ServerRequest request,
			Map<String, String> arguments) {
		return compiled.updateAndGet((known) -> (known != null) ? known : this.compiler
			.apply(Objects.toString(request.attributes().get(MvcUtils.GATEWAY_ROUTE_ID_ATTR), null), arguments));
	}

	private ServerResponse handle(ServerRequest request, HandlerFunction<ServerResponse> next,
			Supplier<RateLimitOperation> operation) throws Exception {
		try {
			if (!CorsUtils.isPreFlightRequest(request.servletRequest())) {
				this.limiter.get().limit(FilteredRequest.of(request), (demands) -> demands.add(operation.get()));
			}
		}
		catch (RateLimitExceededException | RateLimiterUnavailableException ex) {
			// filters in front would take a 503 for one of the back end, and repeat it
			return failed(HttpStatus.TOO_MANY_REQUESTS, ex);
		}
		catch (MissingKeyPartException ex) {
			return failed(HttpStatus.BAD_REQUEST, ex);
		}
		return next.handle(request);
	}

	/**
	 * Return a response to the filters in front. The client gets the answer to the
	 * failure.
	 */
	private static ServerResponse failed(HttpStatus status, RateLimitException failure) {
		return GatewayServerResponse.status(status).build((request, response) -> {
			throw failure;
		});
	}

	public void start(Consumer<Runnable> attempt) {
		this.verifications.start(attempt);
	}

	public void verify(@Nullable String route, Map<String, String> arguments) {
		this.compiler.apply(route, arguments);
	}

	/** Request of the client as the filters in front have changed it. */
	private static final class FilteredRequest extends HttpServletRequestWrapper {

		private final ServerRequest request;

		private FilteredRequest(ServerRequest request) {
			super(request.servletRequest());
			this.request = request;
		}

		static HttpServletRequest of(ServerRequest request) {
			HttpServletRequest sent = request.servletRequest();
			return (request == sent.getAttribute(RouterFunctions.REQUEST_ATTRIBUTE)) ? sent
					: new FilteredRequest(request);
		}

		@Override
		public @Nullable String getHeader(String name) {
			return this.request.headers().firstHeader(name);
		}

		@Override
		public String getRequestURI() {
			return this.request.uri().getRawPath();
		}

		/**
		 * Return the query that is made of the parameters, as that of the request to the
		 * back end: not all filters change the URI too.
		 */
		@Override
		public String getQueryString() {
			StringJoiner query = new StringJoiner("&");
			this.request.params()
				.forEach((name, values) -> values
					.forEach((value) -> query.add(encode(name) + ((value != null) ? '=' + encode(value) : ""))));
			return query.toString();
		}

		private static String encode(String text) {
			return URLEncoder.encode(text, StandardCharsets.UTF_8);
		}

	}

}
