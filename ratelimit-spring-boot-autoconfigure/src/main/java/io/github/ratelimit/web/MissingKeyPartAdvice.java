package io.github.ratelimit.web;

import io.github.ratelimit.MissingKeyPartException;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Advice that answers a request that lacks a part of its key with 400.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public final class MissingKeyPartAdvice extends RateLimitAdvice {

	private final Problems problems;

	/**
	 * Create a new advice.
	 * @param problems the answers
	 */
	public MissingKeyPartAdvice(Problems problems) {
		this.problems = problems;
	}

	/**
	 * Answer a request without a key.
	 * @param exception names the missing part
	 * @return 400 with problem details
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> missing(MissingKeyPartException exception) {
		return this.problems.missing(exception);
	}

}
