package io.github.ratelimit.web;

import io.github.ratelimit.RateLimiterUnavailableException;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Advice that answers a call that could not be decided with 503.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public final class RateLimiterUnavailableAdvice extends RateLimitAdvice {

	private final Problems problems;

	/**
	 * Create a new advice.
	 * @param problems the answers
	 */
	public RateLimiterUnavailableAdvice(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Answer a call that could not be decided.
	 * @param exception names the rule
	 * @return 503 with problem details
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> unavailable(RateLimiterUnavailableException exception) {
		return this.problems.unavailable(exception);
	}

}
