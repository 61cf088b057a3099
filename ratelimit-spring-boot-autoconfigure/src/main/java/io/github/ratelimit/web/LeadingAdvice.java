package io.github.ratelimit.web;

import org.springframework.core.Ordered;

/**
 * Advice that is asked first and leads an exception on to who {@linkplain Answerers
 * answers} it, so it is not among them.
 *
 * @since 0.1.0
 */
public interface LeadingAdvice extends Ordered {

	@Override
	default int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
