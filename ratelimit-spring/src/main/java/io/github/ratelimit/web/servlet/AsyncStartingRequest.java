package io.github.ratelimit.web.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/**
 * Request that writes the headers of its limits before asynchronous processing starts
 * with the container's own response, because what is written to that bypasses a
 * {@link LimitedResponse}. Later decisions are not in the headers.
 */
final class AsyncStartingRequest extends HttpServletRequestWrapper {

	private final LimitedResponse response;

	AsyncStartingRequest(HttpServletRequest request, LimitedResponse response) {
		super(request);
		this.response = response;
	}

	/**
	 * Begin with the headers, while no other thread has the response.
	 */
	@Override
	public AsyncContext startAsync() {
		this.response.writeHeaders();
		return super.startAsync();
	}

}
