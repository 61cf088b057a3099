package io.github.ratelimit.web.servlet;

import java.io.IOException;

import io.github.ratelimit.web.ExceptionHandlers;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Outermost filter, which answers an exception of the rate limiter that neither Spring
 * MVC nor a filter of the application has handled, such as that of a limited method
 * called by another filter.
 *
 * @since 0.1.0
 */
public final class FailureFilter extends OncePerRequestFilter {

	private final FailureResponse failures;

	/**
	 * Create a new filter.
	 * @param failures the answers
	 */
	public FailureFilter(FailureResponse failures) {
		this.failures = failures;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try {
			chain.doFilter(request, response);
		}
		catch (ServletException | RuntimeException ex) {
			if (response.isCommitted() || request.isAsyncStarted() || ExceptionHandlers.failureIn(ex) == null) {
				throw ex;
			}
			this.failures.send(ex, request, response);
		}
	}

}
