package io.github.ratelimit.web;

import org.springframework.core.Ordered;

/**
 * Advice that comes first and dispatches an exception to its
 * {@linkplain ExceptionHandlers handler}. It is never selected as that handler itself.
 *
 * @since 0.1.0
 */
public interface LeadingAdvice extends Ordered {

	@Override
	default int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
