package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;

/**
 * Ends of responses of WebFlux.
 */
class ReactiveResponseEndTests extends ResponseEndTests {

	ReactiveResponseEndTests() {
		super(WebApplicationType.REACTIVE, ResponseEndApplication.class);
	}

	@Test
	void streamEndsWhenTheClientDisconnects() {
		endsWhenTheClientDisconnects("/stream", 200, "CancellationException");
	}

	@Test
	void requestEndsWhenTheClientDisconnectsBeforeThereIsAResponse() {
		endsWhenTheClientDisconnects("/never", 499, "CancellationException");
	}

}
