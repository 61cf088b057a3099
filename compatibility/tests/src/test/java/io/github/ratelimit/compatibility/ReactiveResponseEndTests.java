package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

/**
 * Ends of responses of WebFlux.
 */
class ReactiveResponseEndTests extends ResponseEndTests {

	ReactiveResponseEndTests() {
		super(WebApplicationType.REACTIVE, ResponseEndApplication.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/stream", "/entity-of-stream", "/mono-of-stream", "/future-of-stream" })
	void streamEndsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path, 200, "CancellationException");
	}

	@Test
	void requestEndsWhenTheClientDisconnectsBeforeThereIsAResponse() {
		endsWhenTheClientDisconnects("/never", 499, "CancellationException");
	}

}
