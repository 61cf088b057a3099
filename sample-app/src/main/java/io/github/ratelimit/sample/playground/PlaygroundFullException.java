package io.github.ratelimit.sample.playground;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

/**
 * Thrown when all seats are taken.
 */
class PlaygroundFullException extends ResponseStatusException {

	private static final long serialVersionUID = 1L;

	PlaygroundFullException(int seats) {
		super(HttpStatus.SERVICE_UNAVAILABLE, "All " + seats + " seats are taken. Try again in a moment.");
	}

}
