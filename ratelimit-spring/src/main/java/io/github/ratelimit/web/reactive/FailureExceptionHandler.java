package io.github.ratelimit.web.reactive;

import io.github.ratelimit.web.ExceptionHandlers;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;

/**
 * Handler of exceptions of the rate limiter that neither a handler nor a filter has
 * handled: those of a limited method called by a filter, or whose result a functional
 * endpoint writes, for example.
 *
 * @since 0.1.0
 */
public record FailureExceptionHandler(FailureDispatch failures) implements WebExceptionHandler, Ordered {

	@Override
	public Mono<Void> handle(ServerWebExchange exchange, Throwable thrown) {
		return (ExceptionHandlers.failureIn(thrown) != null) ? this.failures.handle(exchange, thrown)
				: Mono.error(thrown);
	}

	/**
	 * Return an order before the application's catch-all handlers, but after those with
	 * the highest precedence.
	 */
	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE + 100;
	}

}
