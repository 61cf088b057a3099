package io.github.ratelimit.web.reactive;

import java.util.function.Supplier;

import io.github.ratelimit.web.ExceptionHandlers;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.server.ServerWebExchange;

/**
 * Adapter of handler methods that keeps catch-all handlers from answering a failure of
 * the rate limiter. If a method returns the failure, as an error signal or a failed
 * stage, it is dispatched to its {@linkplain ExceptionHandlers handler}. If a limited
 * method throws it, WebFlux calls the exception handlers of the controller first, and the
 * answer of a catch-all handler is replaced. Failures of functional endpoints are
 * dispatched before WebFlux consults the advices.
 *
 * @since 0.1.0
 */
public record FailureHandlerAdapter(FailureDispatch failures,
		Supplier<RequestMappingHandlerAdapter> methods) implements HandlerAdapter, DispatchExceptionHandler, Ordered {

	public FailureHandlerAdapter {
		methods = SingletonSupplier.of(methods);
	}

	@Override
	public boolean supports(Object handler) {
		return handler instanceof HandlerMethod && this.methods.get().supports(handler);
	}

	@Override
	public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
		return this.methods.get()
			.handle(exchange, handler)
			.doOnNext(this::lead)
			.flatMap((result) -> this.failures.replace(exchange, result))
			.switchIfEmpty(Mono.defer(() -> this.failures.replace(exchange)));
	}

	private void lead(HandlerResult result) {
		DispatchExceptionHandler others = result.getExceptionHandler();
		if (others != null) {
			result.setExceptionHandler((exchange, thrown) -> (ExceptionHandlers.failureIn(thrown) != null)
					? this.failures.answer(exchange, thrown) : others.handleError(exchange, thrown));
		}
	}

	@Override
	public Mono<HandlerResult> handleError(ServerWebExchange exchange, Throwable thrown) {
		return this.failures.answer(exchange, thrown);
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
