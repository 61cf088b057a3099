package io.github.ratelimit.web.reactive;

import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.web.LeadingAdvice;
import reactor.core.publisher.Mono;

import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.server.ServerWebExchange;

/**
 * First advice that WebFlux asks, which leads an exception of ours to who answers it,
 * past handlers of all exceptions.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public final class FailureAdvice implements LeadingAdvice {

	private final FailureDispatch failures;

	/**
	 * Create a new advice.
	 * @param failures the answers
	 */
	public FailureAdvice(FailureDispatch failures) {
		this.failures = failures;
	}

	/**
	 * Answer an exception.
	 * @param thrown an exception of ours, or one whose cause is
	 * @param exchange the request
	 * @return when it is answered
	 */
	@ExceptionHandler(RateLimitException.class)
	public Mono<Void> answer(Throwable thrown, ServerWebExchange exchange) {
		return this.failures.handle(exchange, thrown);
	}

}
