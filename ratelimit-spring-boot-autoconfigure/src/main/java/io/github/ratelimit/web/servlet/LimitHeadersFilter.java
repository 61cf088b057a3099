package io.github.ratelimit.web.servlet;

import java.io.IOException;

import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Adds the headers of the limits a request has met to its response: before it is
 * committed, whoever does that, or at the end of the request. It comes before all filters
 * that may write a response, and in every dispatch.
 *
 * @since 0.1.0
 */
public final class LimitHeadersFilter extends OncePerRequestFilter implements Ordered {

	private final WebRequests settings;

	/**
	 * Create a new filter.
	 * @param settings how requests are looked at and answered
	 */
	public LimitHeadersFilter(WebRequests settings) {
		this.settings = settings;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		LimitedRequest limited = LimitedRequest.of(request, this.settings);
		limited.begin();
		LimitedResponse known = LimitedResponse.in(response);
		LimitedResponse answer = (known != null) ? known : new LimitedResponse(response, limited);
		try {
			chain.doFilter(request, (known != null) ? response : answer);
		}
		finally {
			if (request.isAsyncStarted()) {
				limited.endAfterAsync(request);
			}
			else {
				answer.writeHeaders();
				limited.end();
			}
		}
	}

	@Override
	protected boolean shouldNotFilterAsyncDispatch() {
		return false;
	}

	@Override
	protected boolean shouldNotFilterErrorDispatch() {
		return false;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

}
