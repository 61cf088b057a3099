package io.github.ratelimit.web;

import java.util.Objects;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallContextSource;
import org.jspecify.annotations.Nullable;

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
public record RateLimitAdvice(ProblemFactory problems, CallContextSource contexts) implements Ordered {

	@ExceptionHandler({ RateLimitExceededException.class, RateLimiterUnavailableException.class,
			MissingKeyPartException.class })
	public ResponseEntity<ProblemDetail> answer(RateLimitException failure) {
		CallContext request = this.contexts.current();
		if (request != null && failure instanceof RateLimitExceededException denial) {
			request.decided(denial.decision()); // maybe on another thread
		}
		return located(Objects.requireNonNull(this.problems.answer(failure)), request);
	}

	/**
	 * Set the instance of a problem. Spring would take the target of the request, which
	 * need not be a URI.
	 */
	private static ResponseEntity<ProblemDetail> located(ResponseEntity<ProblemDetail> answer,
			@Nullable CallContext request) {
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
