package io.github.ratelimit.web.reactive;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.ExceptionHandlers;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * First advice of WebFlux, which dispatches an exception of the rate limiter to its
 * handler, bypassing catch-all handlers. WebFlux has no resolver that could precede its
 * own, as Spring MVC does. This advice and {@link FailureHandlerAdapter} have the same
 * effect.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public record FailureAdvice(FailureDispatch failures) implements ExceptionHandlers.LeadingAdvice {

	@ExceptionHandler(RateLimitException.class)
	public Mono<Void> answer(Throwable thrown, ServerWebExchange exchange) {
		return this.failures.handle(exchange, thrown);
	}

}
