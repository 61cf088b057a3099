package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import io.github.ratelimit.web.RequestPaths;
import io.github.ratelimit.web.RequestRule;
import io.github.ratelimit.web.RequestRuleMatcher;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.web.cors.CorsUtils;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that limits requests by their URL, each once: FORWARD, ASYNC and ERROR
 * dispatches are not counted again.
 *
 * @since 0.1.0
 */
public final class RequestLimitFilter extends OncePerRequestFilter {

	private final RequestRuleMatcher rules;

	private final ServletLimiter limiter;

	private final FailureResponse failures;

	public RequestLimitFilter(RequestRuleMatcher rules, WebRequests settings, FailureResponse failures) {
		this.rules = rules;
		this.limiter = new ServletLimiter(rules.limiter(), settings);
		this.failures = failures;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		List<RequestRule> matching = matching(request);
		if (matching.isEmpty() || isAdmitted(matching, request, response)) {
			chain.doFilter(request, response);
		}
	}

	private List<RequestRule> matching(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) ? List.of() : this.rules.matching(request.getMethod(), RequestPaths
			.of(ServletCallContext.pathWithinApplication(request), ServletCallContext.resolvedPath(request)));
	}

	private boolean isAdmitted(List<RequestRule> matching, HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		try {
			this.limiter.limit(request, (demands) -> matching.forEach((rule) -> demands.add(rule.operation())));
			return true;
		}
		catch (RuntimeException ex) {
			this.failures.send(ex, request, response);
			return false;
		}
	}

}
