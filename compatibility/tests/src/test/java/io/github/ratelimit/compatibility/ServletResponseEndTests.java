package io.github.ratelimit.compatibility;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

/**
 * Ends of responses of Spring MVC.
 */
class ServletResponseEndTests extends ResponseEndTests {

	ServletResponseEndTests() {
		super(WebApplicationType.SERVLET, ServletResponseEndApplication.class);
	}

	@ParameterizedTest
	@CsvSource({ "/send-error, 410, null", "/callable, 200, called",
			"/failing-callable, 500, UnsupportedOperationException", "/task, 200, called", "/deferred, 200, deferred",
			"/timeout, 503, AsyncRequestTimeoutException", "/emitter, 200, null", "/streaming, 200, null" })
	void asynchronousResultEndsWithTheResponse(String path, int status, String method) {
		endsWith(path, status, method);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "/stream", "/endless-emitter", "/entity-of-stream", "/mono-of-stream", "/future-of-stream" })
	void streamEndsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path, 200, "CancellationException");
	}

}
