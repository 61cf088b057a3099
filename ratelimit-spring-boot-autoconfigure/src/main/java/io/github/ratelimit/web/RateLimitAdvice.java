package io.github.ratelimit.web;

import org.springframework.core.Ordered;

/**
 * Advice that answers an exception of ours, in Spring MVC and in WebFlux, where no
 * handler of the application {@linkplain Answerers names} it.
 */
abstract class RateLimitAdvice implements Ordered {

	@Override
	public final int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
