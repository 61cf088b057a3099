package io.github.ratelimit.gateway.mvc;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.ratelimit.interceptor.LateVerifications;
import io.github.ratelimit.interceptor.RateLimitOperation;
import io.github.ratelimit.web.servlet.ServletLimiter;
import jakarta.servlet.http.HttpServletRequest;
import org.jspecify.annotations.Nullable;

import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.cors.CorsUtils;
import org.springframework.web.servlet.function.HandlerFilterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Limiter of the requests of routes. A CORS preflight is not limited. Spring MVC answers
 * a denial as that of a handler. During startup, filters are created before annotations
 * have defined their rules, so their arguments are verified at its end.
 *
 * @since 0.1.0
 */
public final class RouteLimiter {

	/**
	 * Names of the arguments of a shortcut, in order, and the prefix of those that
	 * Gateway gives to them.
	 */
	private static final List<String> SHORTCUT = List.of("rule", "key");

	private static final String UNNAMED = "_genkey_";

	private final BiFunction<@Nullable String, Map<String, String>, RateLimitOperation> compiler;

	private final Supplier<ServletLimiter> limiter;

	private final LateVerifications verifications = new LateVerifications();

	public RouteLimiter(BiFunction<@Nullable String, Map<String, String>, RateLimitOperation> compiler,
			Supplier<ServletLimiter> limiter) {
		this.compiler = compiler;
		this.limiter = SingletonSupplier.of(limiter);
	}

	public HandlerFilterFunction<ServerResponse, ServerResponse> filter(@Nullable String route,
			Map<String, String> arguments) {
		Supplier<RateLimitOperation> operation = SingletonSupplier.of(() -> this.compiler.apply(route, arguments));
		this.verifications.add(operation::get);
		return (request, next) -> {
			limit(request.servletRequest(), operation);
			return next.handle(request);
		};
	}

	/**
	 * Create a filter that Gateway has read from properties. It finds its limiter with a
	 * request.
	 */
	static HandlerFilterFunction<ServerResponse, ServerResponse> ofProperties(Map<String, String> arguments) {
		AtomicReference<@Nullable RateLimitOperation> compiled = new AtomicReference<>();
		return (request, next) -> {
			MvcUtils.getApplicationContext(request)
				.getBeanProvider(RouteLimiter.class)
				.ifAvailable((limiter) -> limiter.limit(request.servletRequest(),
						() -> limiter.operation(compiled, request, arguments)));
			return next.handle(request);
		};
	}

	private RateLimitOperation operation(AtomicReference<@Nullable RateLimitOperation> compiled, ServerRequest request,
			Map<String, String> arguments) {
		RateLimitOperation known = compiled.get();
		if (known == null) {
			known = this.compiler.apply(
					Objects.toString(request.attributes().get(MvcUtils.GATEWAY_ROUTE_ID_ATTR), null), named(arguments));
			compiled.set(known);
		}
		return known;
	}

	private void limit(HttpServletRequest request, Supplier<RateLimitOperation> operation) {
		if (!CorsUtils.isPreFlightRequest(request)) {
			ServletRequestAttributes current = (ServletRequestAttributes) RequestContextHolder
				.currentRequestAttributes();
			this.limiter.get().limit(request, current.getResponse(), (demands) -> demands.add(operation.get()));
		}
	}

	public void start(Consumer<Runnable> attempt) {
		this.verifications.start(attempt);
	}

	public void verify(@Nullable String route, Map<String, String> arguments) {
		this.compiler.apply(route, named(arguments));
	}

	private static Map<String, String> named(Map<String, String> arguments) {
		Map<String, String> named = new LinkedHashMap<>(arguments);
		for (int i = 0; i < SHORTCUT.size(); i++) {
			String value = named.remove(UNNAMED + i);
			if (value != null) {
				named.put(SHORTCUT.get(i), value);
			}
		}
		return named;
	}

}
