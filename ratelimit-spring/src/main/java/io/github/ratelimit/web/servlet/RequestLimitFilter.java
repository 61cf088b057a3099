package io.github.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.CallContext;
import io.github.ratelimit.interceptor.CallEnd;
import io.github.ratelimit.interceptor.RequestDemands;
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

	private final WebRequests settings;

	private final FailureResponse failures;

	/**
	 * Create a new filter.
	 * @param rules the rules that apply to requests
	 * @param settings the settings of web requests
	 * @param failures answers requests that fail
	 */
	public RequestLimitFilter(RequestRuleMatcher rules, WebRequests settings, FailureResponse failures) {
		this.rules = rules;
		this.settings = settings;
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

	/**
	 * Return the rules of a request. A CORS preflight is not limited.
	 */
	private List<RequestRule> matching(HttpServletRequest request) {
		return CorsUtils.isPreFlightRequest(request) ? List.of() : this.rules.matching(request.getMethod(), RequestPaths
			.of(ServletCallContext.pathWithinApplication(request), ServletCallContext.resolvedPath(request)));
	}

	private boolean isAdmitted(List<RequestRule> matching, HttpServletRequest request, HttpServletResponse response)
			throws ServletException, IOException {
		try {
			CallContext context = new ServletCallContext(request, response, this.settings);
			RequestDemands demands = this.rules.demands(matching, context);
			if (demands.isEmpty()) {
				return true;
			}
			DecidedCall decided = this.rules.acquire(demands, context).awaitTurn();
			if (!decided.isAllowed()) {
				throw new RateLimitExceededException(decided.decision());
			}
			CallEnd end = demands.end(decided);
			if (end != null) {
				endWithResponse(end, decided, response);
			}
			return true;
		}
		catch (RuntimeException ex) {
			this.failures.send(ex, request, response);
			return false;
		}
	}

	/**
	 * End a request when its response is complete, behind all filters.
	 */
	private static void endWithResponse(CallEnd end, DecidedCall decided, HttpServletResponse response) {
		LimitedResponse answer = LimitedResponse.in(response);
		if (answer == null) {
			decided.refund();
			throw new IllegalStateException("A URL rule with unless, settle or slots needs the filter "
					+ LimitHeadersFilter.class.getSimpleName() + " in front of all others: do not disable it.");
		}
		answer.request().whenComplete((status, failure) -> end.end(status));
	}

}
