package io.github.ratelimit.web;

import org.springframework.core.Ordered;

/**
 * Advice for an exception of the rate limiter in Spring MVC and WebFlux. Handlers of the
 * application that name the exception {@linkplain ExceptionHandlers precede} it.
 */
abstract class RateLimitAdvice implements Ordered {

	@Override
	public final int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
