package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.function.Supplier;

import io.github.ratelimit.MissingKeyPartException;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.RateLimiterUnavailableException;
import io.github.ratelimit.web.Problems;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * How a request is answered that no handler was reached for: as Spring MVC answers the
 * same exception of a handler, so with problem details, or by a handler of the
 * application. What it does not answer becomes an error of the server, whose page the
 * application may have made its own.
 *
 * @since 0.1.0
 */
public final class FailureResponse {

	private final Supplier<@Nullable HandlerExceptionResolver> resolvers;

	private final Problems problems;

	/**
	 * Create a new response.
	 * @param resolvers the resolvers of Spring MVC, which ask the advice, if there are
	 * any
	 * @param problems the answers, of which no more than the status is told without them
	 */
	public FailureResponse(Supplier<@Nullable HandlerExceptionResolver> resolvers, Problems problems) {
		this.resolvers = resolvers;
		this.problems = problems;
	}

	void send(RuntimeException failure, HttpServletRequest request, HttpServletResponse response) throws IOException {
		HandlerExceptionResolver resolver = this.resolvers.get();
		ModelAndView answer = (resolver != null) ? resolver.resolveException(request, response, null, failure) : null;
		if (answer == null || !answer.isEmpty()) {
			sendError(failure, response); // a view needs the dispatcher
		}
	}

	private void sendError(RuntimeException failure, HttpServletResponse response) throws IOException {
		if (failure instanceof RateLimitExceededException denial) {
			sendError(this.problems.exceeded(denial), response);
		}
		else if (failure instanceof RateLimiterUnavailableException unavailable) {
			sendError(this.problems.unavailable(unavailable), response);
		}
		else if (failure instanceof MissingKeyPartException missing) {
			sendError(this.problems.missing(missing), response);
		}
		else {
			throw failure;
		}
	}

	private static void sendError(ResponseEntity<ProblemDetail> problem, HttpServletResponse response)
			throws IOException {
		String retryAfter = problem.getHeaders().getFirst("Retry-After");
		if (retryAfter != null) {
			response.setHeader("Retry-After", retryAfter);
		}
		response.sendError(problem.getStatusCode().value());
	}

}
