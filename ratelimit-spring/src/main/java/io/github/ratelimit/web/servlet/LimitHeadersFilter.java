package io.github.ratelimit.web.servlet;

import java.io.IOException;

import io.github.ratelimit.web.WebRequests;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.core.Ordered;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Filter that adds the headers of the limits of a request to its response, just before it
 * is committed or at the end of the request. It precedes all filters that may write a
 * response, in every dispatch, and wraps every response, since it is not known beforehand
 * which requests will be limited.
 *
 * @since 0.1.0
 */
public final class LimitHeadersFilter extends OncePerRequestFilter implements Ordered {

	private final WebRequests settings;

	public LimitHeadersFilter(WebRequests settings) {
		this.settings = settings;
	}

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		LimitedRequest limited = LimitedRequest.of(request, this.settings);
		limited.begin(request);
		LimitedResponse known = LimitedResponse.in(response);
		LimitedResponse answer = (known != null) ? known : new LimitedResponse(response, limited);
		Throwable failure = null;
		try {
			if (known != null) {
				chain.doFilter(request, response);
			}
			else {
				chain.doFilter(new AsyncStartingRequest(request, answer), answer);
			}
		}
		catch (ServletException | IOException | RuntimeException | Error ex) {
			failure = ex;
			throw ex;
		}
		finally {
			if (request.isAsyncStarted()) {
				limited.endAfterAsync(request, answer);
			}
			else {
				answer.writeHeaders();
				limited.end(answer, failure);
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

	/**
	 * Request that writes the headers of its limits before asynchronous processing starts
	 * with the container's own response, because what is written to that bypasses a
	 * {@link LimitedResponse}. Later decisions are not in the headers.
	 */
	static final class AsyncStartingRequest extends HttpServletRequestWrapper {

		private final LimitedResponse response;

		AsyncStartingRequest(HttpServletRequest request, LimitedResponse response) {
			super(request);
			this.response = response;
		}

		/** Begin with the headers, while no other thread has the response. */
		@Override
		public AsyncContext startAsync() {
			this.response.writeHeaders();
			return super.startAsync();
		}

	}

}
