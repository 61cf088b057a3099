package io.github.ratelimit.web.reactive;

import java.util.List;
import java.util.function.Supplier;

import reactor.core.publisher.Mono;

import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.DispatchExceptionHandler;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.reactive.HandlerResultHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * How a request is answered that no handler was reached for: as WebFlux answers the same
 * exception of a handler, so with problem details, or by a handler of the application.
 * What it does not answer stays an error signal.
 *
 * @since 0.1.0
 */
public final class FailureDispatch {

	private final Supplier<List<DispatchExceptionHandler>> exceptionHandlers;

	private final Supplier<List<HandlerResultHandler>> resultHandlers;

	/**
	 * Create a new dispatch.
	 * @param exceptionHandlers the exception handlers of WebFlux, which ask the advice
	 * @param resultHandlers what writes their answers
	 */
	public FailureDispatch(Supplier<List<DispatchExceptionHandler>> exceptionHandlers,
			Supplier<List<HandlerResultHandler>> resultHandlers) {
		this.exceptionHandlers = SingletonSupplier.of(exceptionHandlers);
		this.resultHandlers = SingletonSupplier.of(resultHandlers);
	}

	Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
		Mono<HandlerResult> answer = Mono.error(failure);
		for (DispatchExceptionHandler handler : this.exceptionHandlers.get()) {
			answer = answer.onErrorResume((unanswered) -> handler.handleError(exchange, unanswered));
		}
		return answer.flatMap((result) -> write(exchange, result, failure));
	}

	private Mono<Void> write(ServerWebExchange exchange, HandlerResult result, Throwable failure) {
		for (HandlerResultHandler handler : this.resultHandlers.get()) {
			if (handler.supports(result)) {
				return handler.handleResult(exchange, result);
			}
		}
		return Mono.error(failure);
	}

}
