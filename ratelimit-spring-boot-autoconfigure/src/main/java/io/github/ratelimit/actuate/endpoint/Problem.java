package io.github.ratelimit.actuate.endpoint;

import java.util.Map;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

/** Problem details of a refused request. */
record Problem(int status, String title) {

	static final Problem BAD_REQUEST = new Problem(WebEndpointResponse.STATUS_BAD_REQUEST, "Bad Request");

	static final Problem NOT_FOUND = new Problem(WebEndpointResponse.STATUS_NOT_FOUND, "Not Found");

	static final Problem CONFLICT = new Problem(409, "Conflict");

	static final Problem UNAVAILABLE = new Problem(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
			"Service Unavailable");

	private static final MimeType TYPE = MimeType.valueOf("application/problem+json");

	WebEndpointResponse<Map<String, Object>> because(String detail) {
		return new WebEndpointResponse<>(Fields.of("type", "about:blank")
			.with("title", this.title)
			.with("status", this.status)
			.with("detail", detail)
			.toMap(), this.status, TYPE);
	}

	static final class NothingFound extends IllegalArgumentException {

		private static final long serialVersionUID = 1L;

		NothingFound(String message) {
			super(message);
		}

	}

}
