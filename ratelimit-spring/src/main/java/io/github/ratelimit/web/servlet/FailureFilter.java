package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.function.Supplier;

import io.github.ratelimit.web.ExceptionHandlers;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Outermost filter, which answers an exception of the rate limiter that neither Spring
 * MVC nor a filter of the application has handled, such as that of a limited method
 * called by another filter.
 *
 * @since 0.1.0
 */
public record FailureFilter(Supplier<FailureResponse> failures) implements Filter {

	@Override
	public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		try {
			chain.doFilter(request, response);
		}
		catch (ServletException | RuntimeException ex) {
			if (response.isCommitted() || request.isAsyncStarted() || ExceptionHandlers.failureIn(ex) == null) {
				throw ex;
			}
			this.failures.get().send(ex, (HttpServletRequest) request, (HttpServletResponse) response);
		}
	}

}
