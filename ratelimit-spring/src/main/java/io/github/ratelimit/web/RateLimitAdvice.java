package io.github.ratelimit.web;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;

import org.springframework.core.Ordered;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.ExceptionHandler;

/**
 * Advice that answers the exceptions of the rate limiter with problem details.
 * {@link ExceptionHandlers} selects it, regardless of its order.
 *
 * @since 0.1.0
 */
@ControllerAdvice
public final class RateLimitAdvice implements Ordered {

	private final ProblemFactory problems;

	private final CallContextSource contexts;

	/**
	 * Create a new advice.
	 * @param problems the answers
	 * @param contexts finds the current request
	 */
	public RateLimitAdvice(ProblemFactory problems, CallContextSource contexts) {
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
		return located(this.problems.exceeded(exception));
	}

	/**
	 * Answer a call that could not be decided.
	 * @param exception names the rule
	 * @return 503 with problem details
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> unavailable(RateLimiterUnavailableException exception) {
		return located(this.problems.unavailable(exception));
	}

	/**
	 * Answer a request that lacks a part of its key.
	 * @param exception names the missing part
	 * @return 400 with problem details
	 */
	@ExceptionHandler
	public ResponseEntity<ProblemDetail> missing(MissingKeyPartException exception) {
		return located(this.problems.missing(exception));
	}

	/**
	 * Set the instance of a problem. Spring would take the target of the request, which
	 * need not be a URI.
	 */
	private ResponseEntity<ProblemDetail> located(ResponseEntity<ProblemDetail> answer) {
		CallContext request = this.contexts.current();
		String path = (request != null) ? request.targetPath() : null;
		ProblemDetail problem = answer.getBody();
		if (path != null && problem != null && problem.getInstance() == null) {
			problem.setInstance(ProblemFactory.instance(path));
		}
		return answer;
	}

	@Override
	public int getOrder() {
		return LOWEST_PRECEDENCE;
	}

}
