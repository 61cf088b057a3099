package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.web.RequestRule;
import io.github.ratelimit.web.RequestRules;
import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.server.RequestPath;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Limits requests by their URL, each once: not again when it is forwarded, goes on after
 * asynchronous work, or ends on an error page.
 *
 * @since 0.1.0
 */
public final class RequestLimitFilter extends OncePerRequestFilter {

	private final RequestRules rules;

	private final WebRequests settings;

	private final FailureResponse failures;

	/**
	 * Create a new filter.
	 * @param rules the rules that hold for requests
	 * @param settings how requests are looked at and answered
	 * @param failures how a request is answered that does not take place
	 */
	public RequestLimitFilter(RequestRules rules, WebRequests settings, FailureResponse failures) {
		this.rules = rules;
		this.settings = settings;
		this.failures = failures;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		List<RequestRule> matching = this.rules.matching(request.getMethod(),
				RequestPath.parse(request.getRequestURI(), request.getContextPath()).pathWithinApplication());
		if (matching.isEmpty() || isAdmitted(matching, request, response)) {
			chain.doFilter(request, response);
		}
	}

	private boolean isAdmitted(List<RequestRule> matching, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		try {
			Decision decision = this.rules.acquire(matching, new ServletCallContext(request, response, this.settings))
				.awaitTurn()
				.decision();
			if (decision.allowed()) {
				return true;
			}
			throw new RateLimitExceededException(decision);
		}
		catch (RuntimeException ex) {
			this.failures.send(ex, request, response);
			return false;
		}
	}

}
