package io.github.ratelimit.web;

import io.github.ratelimit.RateLimitException;

import org.springframework.http.ProblemDetail;

/**
 * Customizer of the problem details of calls that did not take place: a bean of an
 * application, to translate the title for example. All such beans are applied, in order.
 * The status of the problem details becomes the status of the response, and the
 * {@link org.springframework.context.i18n.LocaleContextHolder} has the language of the
 * request.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface RateLimitProblemCustomizer {

	/**
	 * Change an answer.
	 * @param problem the problem details, without {@code instance}, which is set later
	 * @param failure why the call did not take place: a
	 * {@link io.github.ratelimit.RateLimitExceededException}, a
	 * {@link io.github.ratelimit.RateLimiterUnavailableException} or a
	 * {@link io.github.ratelimit.MissingKeyPartException}
	 */
	void customize(ProblemDetail problem, RateLimitException failure);

}
