package io.github.ratelimit.web.reactive;

import java.lang.reflect.Method;
import java.security.Principal;
import java.util.concurrent.Executor;
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
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.http.codec.multipart.Part;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.util.MultiValueMap;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebExchangeDecorator;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import org.springframework.web.server.WebSession;

/**
 * Binding of a request to the threads that work on it, for methods that return plain
 * values: they cannot find it in a subscription's context. A controller method runs on
 * the thread that subscribes, on the one that delivers the argument it has to wait for,
 * or on one of the executor that the application configured for blocking methods. The
 * request is bound to each only while the method runs on it.
 *
 * @since 0.1.0
 */
public final class CallContextBinding implements CallContextSource {

	@Override
	public @Nullable CallContext current() {
		return CallerContext.request();
	}

	static Mono<Void> bindExchange(ServerWebExchange exchange, WebFilterChain chain, CallContext context) {
		ReactiveCallContext.bind(exchange, context);
		return bindSubscription(chain.filter(new BoundExchange(exchange)), context);
	}

	static <T> Mono<T> bindSubscription(Mono<T> source, CallContext context) {
		return Mono.<T>from((subscriber) -> CallerContext.run(context, () -> source.subscribe(subscriber)))
			.contextWrite((subscription) -> subscription.put(CallContext.class, context));
	}

	static <T> Flux<T> bindSignals(Flux<T> source, ServerWebExchange exchange) {
		return source.transform(Operators.<T, T>lift((scannable, subscriber) -> new Bound<T>(subscriber, exchange)));
	}

	static <T> Mono<T> bindSignals(Mono<T> source, ServerWebExchange exchange) {
		return source.transform(Operators.<T, T>lift((scannable, subscriber) -> new Bound<T>(subscriber, exchange)));
	}

	/** Exchange that binds its request to the threads that deliver its parts. */
	private static final class BoundExchange extends ServerWebExchangeDecorator {

		private final ServerHttpRequest request;

		private BoundExchange(ServerWebExchange exchange) {
			super(exchange);
			this.request = new ServerHttpRequestDecorator(exchange.getRequest()) {

				@Override
				public Flux<DataBuffer> getBody() {
					return bindSignals(super.getBody(), exchange);
				}

			};
		}

		@Override
		public ServerHttpRequest getRequest() {
			return this.request;
		}

		@Override
		public Mono<MultiValueMap<String, String>> getFormData() {
			return bindSignals(super.getFormData(), getDelegate());
		}

		@Override
		public Mono<MultiValueMap<String, Part>> getMultipartData() {
			return bindSignals(super.getMultipartData(), getDelegate());
		}

		@Override
		public Mono<WebSession> getSession() {
			return bindSignals(super.getSession(), getDelegate());
		}

		@Override
		public <T extends Principal> Mono<T> getPrincipal() {
			return bindSignals(super.<T>getPrincipal(), getDelegate());
		}

	}

	/**
	 * Subscriber that binds the context of an exchange that was bound last: what a filter
	 * asked for may reach a handler, which sees the principal.
	 */
	private record Bound<T>(CoreSubscriber<? super T> actual, ServerWebExchange exchange) implements CoreSubscriber<T> {

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
			run(() -> this.actual.onNext(value));
		}

		@Override
		public void onError(Throwable failure) {
			run(() -> this.actual.onError(failure));
		}

		@Override
		public void onComplete() {
			run(this.actual::onComplete);
		}

		private void run(Runnable signal) {
			CallerContext.run(ReactiveCallContext.of(this.exchange), signal);
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

	/**
	 * Configuration that binds the request to the threads of the executor that others
	 * configured for blocking controller methods.
	 */
	public record OfExecutor() implements WebFluxConfigurer, Ordered {

		private static final Method CONFIGURED = ReflectionUtils.findMethod(BlockingExecutionConfigurer.class,
				"getExecutor");

		@Override
		public void configureBlockingExecution(BlockingExecutionConfigurer configurer) {
			ReflectionUtils.makeAccessible(CONFIGURED);
			if (ReflectionUtils.invokeMethod(CONFIGURED, configurer) instanceof Executor executor) {
				TaskExecutorAdapter bound = new TaskExecutorAdapter(executor);
				bound.setTaskDecorator((task) -> {
					CallContext request = CallerContext.request();
					return () -> CallerContext.run(request, task);
				});
				configurer.setExecutor(bound);
			}
		}

		@Override
		public int getOrder() {
			return LOWEST_PRECEDENCE;
		}

	}

}
