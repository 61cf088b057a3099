package io.github.ratelimit.compatibility;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

/**
 * Calls whose client is slow, in Spring MVC.
 */
class ServletHeldResponseTests extends HeldResponseTests {

	ServletHeldResponseTests() {
		super(WebApplicationType.SERVLET, ServletHeldResponseApplication.class);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/written", "/started", "/streaming", "/callable", "/task", "/deferred", "/emitter",
			"/events", "/route-of-file", "/route-of-future", "/route-of-events" })
	void callOfSpringMvcEndsWhenItsResponseIsComplete(String path) {
		endsWithTheResponse(path, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/streaming", "/callable", "/task", "/deferred", "/emitter", "/events", "/route-of-file",
			"/route-of-future", "/route-of-events" })
	void callOfSpringMvcEndsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path);
	}

	/**
	 * A handler that writes the response itself fails with the exception of its write.
	 */
	@Test
	void callThatWritesItsResponseFailsWhenTheClientDisconnects() {
		endsWhenTheClientDisconnects("/written", 10);
	}

	@ParameterizedTest
	@CsvSource({ "/route-of-denied-events, 10", "/denied-when-started, 9", "/denied-with-a-length, 9" })
	void denialOfACallWithinAnotherOneIsWholeAndEndsItsResponse(String path, int counted) {
		endsWithADenial(path, counted);
	}

}
