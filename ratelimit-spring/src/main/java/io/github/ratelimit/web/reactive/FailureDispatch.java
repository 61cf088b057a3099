package io.github.ratelimit.web.reactive;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Supplier;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.web.ExceptionHandlers;
import io.github.ratelimit.web.RateLimitAdvice;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.context.i18n.LocaleContext;
import org.springframework.context.i18n.LocaleContextHolder;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.NotAcceptableStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Dispatch of an exception of the rate limiter to its {@linkplain ExceptionHandlers
 * handler}, with the CORS headers of an admitted request. An unhandled failure stays an
 * error signal.
 *
 * @since 0.1.0
 */
public record FailureDispatch(ExceptionHandlers exceptionHandlers, CorsAnswer cors,
		Supplier<RequestMappingHandlerAdapter> methods, Supplier<List<HandlerResultHandler>> resultHandlers) {

	private static final String FAILURE = FailureDispatch.class.getName() + ".FAILURE";

	private static final Method FAILED = ReflectionUtils.findMethod(FailureDispatch.class, "fail",
			ServerWebExchange.class);

	public FailureDispatch {
		Supplier<RequestMappingHandlerAdapter> configured = methods;
		methods = SingletonSupplier.of(() -> withoutAdvices(configured.get()));
		resultHandlers = SingletonSupplier.of(resultHandlers);
	}

	/**
	 * Copy the adapter of the application without its advices: a denied request should
	 * not compute model attributes, and catch-all handlers are not to answer it.
	 */
	private static RequestMappingHandlerAdapter withoutAdvices(RequestMappingHandlerAdapter configured) {
		RequestMappingHandlerAdapter adapter = new RequestMappingHandlerAdapter();
		adapter.setMessageReaders(configured.getMessageReaders());
		adapter.setWebBindingInitializer(configured.getWebBindingInitializer());
		adapter.setArgumentResolverConfigurer(configured.getArgumentResolverConfigurer());
		adapter.setContentTypeResolver(configured.getContentTypeResolver());
		adapter.setReactiveAdapterRegistry(configured.getReactiveAdapterRegistry());
		adapter.setApplicationContext(new GenericApplicationContext());
		try {
			adapter.afterPropertiesSet();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
		return adapter;
	}

	Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		if (exchange.getResponse().isCommitted()) {
			return Mono.error(failure);
		}
		HandlerMethod failed = handler(exchange); // CORS may find one that has not run
		return this.cors.answer(exchange, Mono
			.defer(() -> answer(exchange, failed, failure).flatMap((result) -> write(exchange, result, failure))));
	}

	Mono<HandlerResult> answer(ServerWebExchange exchange, Throwable failure) {
		return answer(exchange, handler(exchange), failure);
	}

	private Mono<HandlerResult> answer(ServerWebExchange exchange, @Nullable HandlerMethod failed, Throwable failure) {
		ExceptionHandlers.Match match = this.exceptionHandlers.find(failed, failure, requested(exchange));
		if (match == null || (exchange.getResponse().isCommitted() && match.advice() instanceof RateLimitAdvice)) {
			return Mono.error(failure);
		}
		if (match.exception() instanceof RateLimitExceededException denial) {
			ReactiveCallContext.decided(exchange, denial.decision());
		}
		FailingMethod failing = new FailingMethod(match);
		exchange.getAttributes().put(FAILURE, failing);
		Mono<HandlerResult> answer = bindLanguage(this.methods.get().handle(exchange, failing), exchange);
		CallContext request = ReactiveCallContext.of(exchange);
		return (request != null) ? CallContextBinding.bindSubscription(answer, request) : answer;
	}

	private static <T> Mono<T> bindLanguage(Mono<T> source, ServerWebExchange exchange) {
		return Mono.from((subscriber) -> {
			LocaleContext bound = LocaleContextHolder.getLocaleContext();
			LocaleContextHolder.setLocaleContext(exchange.getLocaleContext());
			try {
				source.subscribe(subscriber);
			}
			finally {
				LocaleContextHolder.setLocaleContext(bound);
			}
		});
	}

	private List<MediaType> requested(ServerWebExchange exchange) {
		try {
			return this.methods.get().getContentTypeResolver().resolveMediaTypes(exchange);
		}
		catch (NotAcceptableStatusException ex) {
			return List.of(MediaType.ALL);
		}
	}

	/**
	 * Replace the answer of a catch-all handler to a failure that a limited method has
	 * thrown, unless the handler must have answered another failure.
	 * @param result the answer to the request, by its handler or an exception handler
	 */
	Mono<HandlerResult> replace(ServerWebExchange exchange, HandlerResult result) {
		Method answered = result.getReturnTypeSource().getMethod();
		return (answered != null && ExceptionHandlers.handlesAll(answered)
				&& !this.exceptionHandlers.areBehindLeadingAdvice(answered.getDeclaringClass()))
						? answerThrown(exchange).switchIfEmpty(Mono.just(result)) : Mono.just(result);
	}

	/**
	 * Replace the answer of a method that returns nothing. If its status is an error, it
	 * comes from a catch-all handler.
	 */
	Mono<HandlerResult> replace(ServerWebExchange exchange) {
		HttpStatusCode status = exchange.getResponse().getStatusCode();
		return (status != null && status.isError()) ? answerThrown(exchange) : Mono.empty();
	}

	private Mono<HandlerResult> answerThrown(ServerWebExchange exchange) {
		RateLimitException thrown = ReactiveCallContext.thrown(exchange);
		if (thrown == null || exchange.getResponse().isCommitted()) {
			return Mono.empty();
		}
		exchange.getResponse().setStatusCode(null);
		return answer(exchange, thrown);
	}

	private static @Nullable HandlerMethod handler(ServerWebExchange exchange) {
		return (exchange.getAttribute(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE) instanceof HandlerMethod method)
				? method : null;
	}

	static void fail(ServerWebExchange exchange) throws Throwable {
		FailingMethod failing = exchange.getRequiredAttribute(FAILURE);
		failing.hasFailed = true;
		throw failing.failure;
	}

	private Mono<Void> write(ServerWebExchange exchange, HandlerResult result, Throwable failure) {
		for (HandlerResultHandler handler : this.resultHandlers.get()) {
			if (handler.supports(result)) {
				return handler.handleResult(exchange, result);
			}
		}
		return Mono.error(failure);
	}

	/**
	 * Method that fails, of the bean whose exception handler answers. Until it fails it
	 * is of this class, since WebFlux computes the model attributes of the class first.
	 */
	private static final class FailingMethod extends HandlerMethod {

		private final Throwable failure;

		private boolean hasFailed;

		FailingMethod(ExceptionHandlers.Match match) {
			super(match.advice(), FAILED);
			this.failure = match.exception();
		}

		@Override
		public Class<?> getBeanType() {
			return this.hasFailed ? super.getBeanType() : FailureDispatch.class;
		}

	}

	/**
	 * First advice of WebFlux, which dispatches an exception of the rate limiter to its
	 * handler, bypassing catch-all handlers. WebFlux has no resolver that could precede
	 * its own, as Spring MVC does. This advice and {@link FailureHandlerAdapter} have the
	 * same effect.
	 */
	@ControllerAdvice
	public record Advice(FailureDispatch failures) implements ExceptionHandlers.LeadingAdvice {

		@ExceptionHandler(RateLimitException.class)
		public Mono<Void> answer(Throwable thrown, ServerWebExchange exchange) {
			return this.failures.handle(exchange, thrown);
		}

	}

	/**
	 * Handler of exceptions of the rate limiter that neither a handler nor a filter has
	 * handled: those of a limited method called by a filter, or whose result a functional
	 * endpoint writes, for example.
	 */
	public record OfFilters(FailureDispatch failures) implements WebExceptionHandler, Ordered {

		@Override
		public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
			return (ExceptionHandlers.failureIn(thrown) != null) ? this.failures.handle(exchange, thrown)
					: Mono.error(thrown);
		}

		/**
		 * Return an order before the application's catch-all handlers, but after those
		 * with the highest precedence.
		 */
		@Override
		public int getOrder() {
			return HIGHEST_PRECEDENCE + 100;
		}

	}

}
