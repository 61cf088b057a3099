package io.github.ratelimit.web.servlet;

import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.web.util.DisconnectedClientHelper;

/**
 * Status of a response that is complete.
 */
final class ResponseStatus {

	/**
	 * Status of nginx for a client that disconnects before there is a response.
	 */
	private static final int CLIENT_CLOSED_REQUEST = 499;

	private ResponseStatus() {
	}

	/**
	 * Return the status.
	 * @param failure the exception that the container answers, if the response was not
	 * sent before
	 */
	static int of(HttpServletResponse response, @Nullable Throwable failure) {
		if (failure == null || response.isCommitted()) {
			return response.getStatus();
		}
		return DisconnectedClientHelper.isClientDisconnectedException(failure) ? CLIENT_CLOSED_REQUEST
				: HttpServletResponse.SC_INTERNAL_SERVER_ERROR;
	}

}
