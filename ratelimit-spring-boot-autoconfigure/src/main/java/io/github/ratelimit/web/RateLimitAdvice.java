package io.github.ratelimit.web;

import io.github.ratelimit.RateLimitException;

import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;

/**
 * Answers an exception of ours, in Spring MVC and in WebFlux: ahead of an application's
 * handler for all exceptions, which would make it a 500, and behind its handler for just
 * this one.
 */
abstract class RateLimitAdvice implements Ordered {

	private final Class<? extends RateLimitException> exception;

	private final OwnExceptionHandlers ownHandlers;

	RateLimitAdvice(Class<? extends RateLimitException> exception, ApplicationContext context) {
		this.exception = exception;
		this.ownHandlers = new OwnExceptionHandlers(context);
	}

	@Override
	public final int getOrder() {
		return this.ownHandlers.handle(this.exception) ? LOWEST_PRECEDENCE : 0;
	}

}
