package io.github.ratelimit.compatibility;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

/**
 * Calls whose client is slow, in WebFlux.
 */
class ReactiveHeldResponseTests extends HeldResponseTests {

	ReactiveHeldResponseTests() {
		super(WebApplicationType.REACTIVE, ReactiveHeldResponseApplication.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/flux", "/entity-of-flux", "/mono-of-entity-of-flux", "/mono-of-bytes", "/written",
			"/written-at-once", "/flushed", "/route-of-file", "/route-of-flux" })
	void callOfWebFluxEndsWhenItsResponseIsComplete(String path) {
		endsWithTheResponse(path, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/flux", "/entity-of-flux", "/mono-of-entity-of-flux", "/mono-of-bytes", "/written",
			"/written-at-once", "/flushed", "/route-of-file", "/route-of-flux" })
	void callOfWebFluxEndsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path);
	}

	@ParameterizedTest
	@CsvSource({ "/mono-of-bytes, 67108864", "/list, 200001", "/written, -1", "/flux, -1", "/flushed, -1" })
	void callOfWebFluxEndsWithAResponseWithoutItsBody(String path, long length) {
		endsWithoutTheBody(path, length);
	}

}
