package io.github.ratelimit.web;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Advice that answers a denied call with 429.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public final class RateLimitExceededAdvice extends RateLimitAdvice {

	private final Problems problems;

	private final CallContextSource contexts;

	/**
	 * Create a new advice.
	 * @param problems the answers
	 * @param contexts finds the current request
	 */
	public RateLimitExceededAdvice(Problems problems, CallContextSource contexts) {
		this.problems = problems;
		this.contexts = contexts;
	}

	/**
	 * Answer a denied call.
	 * @param exception the denial
	 * @return 429 with problem details
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> exceeded(RateLimitExceededException exception) {
		CallContext request = this.contexts.current();
		if (request != null) {
			request.decided(exception.decision()); // maybe on another thread
		}
		return this.problems.exceeded(exception);
	}

}
