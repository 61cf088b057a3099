package io.github.ratelimit.web.reactive;

import java.util.function.BooleanSupplier;

import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;
import io.github.ratelimit.interceptor.CallerContext;
import io.github.ratelimit.web.WebRequests;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

import org.springframework.core.Ordered;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

/**
 * Binding of a request to the threads that work on it, for methods that return plain
 * values: they cannot find it in a subscription's context. A controller method runs on
 * the thread that subscribes or, if it has to wait for a body, on the one that delivers
 * the body. The request is bound to each only while the method runs on it.
 *
 * @since 0.1.0
 */
public final class CallContextBinding implements CallContextSource {

	@Override
	public @Nullable CallContext current() {
		return CallerContext.request();
	}

	static Mono<Void> bindExchange(ServerWebExchange exchange, WebFilterChain chain, CallContext context) {
		ServerHttpRequest request = new BoundRequest(exchange.getRequest(), context);
		return bindSubscription(chain.filter(exchange.mutate().request(request).build()), context);
	}

	static <T> Mono<T> bindSubscription(Mono<T> source, CallContext context) {
		return Mono.<T>from((subscriber) -> CallerContext.run(context, () -> source.subscribe(subscriber)))
			.contextWrite((subscription) -> subscription.put(CallContext.class, context));
	}

	static <T> Flux<T> bindSignals(Flux<T> source, CallContext context) {
		return source.transform(Operators.<T, T>lift((scannable, subscriber) -> new Bound<T>(subscriber, context)));
	}

	private static final class BoundRequest extends ServerHttpRequestDecorator {

		private final CallContext context;

		private BoundRequest(ServerHttpRequest request, CallContext context) {
			super(request);
			this.context = context;
		}

		@Override
		public Flux<DataBuffer> getBody() {
			return bindSignals(super.getBody(), this.context);
		}

	}

	private static final class Bound<T> implements CoreSubscriber<T> {

		private final CoreSubscriber<? super T> actual;

		private final CallContext context;

		private Bound(CoreSubscriber<? super T> actual, CallContext context) {
			this.actual = actual;
			this.context = context;
		}

		@Override
		public Context currentContext() {
			return this.actual.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.actual.onSubscribe(subscription);
		}

		@Override
		public void onNext(T value) {
			CallerContext.run(this.context, () -> this.actual.onNext(value));
		}

		@Override
		public void onError(Throwable failure) {
			CallerContext.run(this.context, () -> this.actual.onError(failure));
		}

		@Override
		public void onComplete() {
			CallerContext.run(this.context, this.actual::onComplete);
		}

	}

	/**
	 * Filter that provides the request to limited methods called by filters. For those
	 * called by handlers, {@link OfHandlers} adds the principal.
	 */
	public record OfFilters(WebRequests settings) implements WebFilter, Ordered {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			return bindExchange(exchange, chain, new ReactiveCallContext(exchange, this.settings));
		}

		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE + 100;
		}

	}

	/**
	 * Filter that provides the request to limited methods called by handlers, as all
	 * other filters leave it: with its principal, and bound to its thread. It follows the
	 * response to its end.
	 *
	 * @param settings the settings of web requests
	 * @param mayUsePrincipal whether a limited method may use the principal; if not, no
	 * session is read for it
	 */
	public record OfHandlers(WebRequests settings, BooleanSupplier mayUsePrincipal) implements WebFilter, Ordered {

		@Override
		public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
			HandlerEnd end = HandlerEnd.of(exchange);
			ServerWebExchange followed = exchange.mutate().response(FollowedResponse.of(exchange, end)).build();
			return end.follow(this.mayUsePrincipal.getAsBoolean()
					? ReactiveCallContext.withPrincipal(exchange, this.settings)
						.flatMap((context) -> bindExchange(followed, chain, context))
					: bindExchange(followed, chain, new ReactiveCallContext(exchange, this.settings)));
		}

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

	}

}
