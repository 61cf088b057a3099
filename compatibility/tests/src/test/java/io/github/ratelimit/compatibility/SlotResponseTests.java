package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Requests that hold a slot until their response is complete, or the client has gone.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class SlotResponseTests {

	private final WebApplicationType type;

	private final Class<?> application;

	@AutoClose
	private Server server;

	SlotResponseTests(WebApplicationType type, Class<?> application) {
		this.type = type;
		this.application = application;
	}

	@BeforeAll
	void start() {
		this.server = Server.start(this.type, this.application, "ratelimit.store=local",
				"ratelimit.rules.url.algorithm=concurrency", "ratelimit.rules.url.max=1",
				"ratelimit.rules.method.max=1000", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=url");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/status/200", "/status/404", "/failing", "/handled", "/mono", "/failing-mono", "/future",
			"/flux", "/nowhere" })
	void slotIsFreeWhenTheResponseIsComplete(String path) {
		for (int i = 0; i < 3; i++) {
			awaitFree();
			assertThat(this.server.get(path).statusCode()).isNotEqualTo(429);
		}
	}

	@Test
	void streamHoldsItsSlotUntilTheClientDisconnects() throws IOException {
		awaitFree();
		try (Socket socket = new Socket("localhost", this.server.port())) {
			socket.getOutputStream()
				.write("GET /stream HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.UTF_8));
			assertThat(socket.getInputStream().read()).isEqualTo('H');
			HttpResponse<String> denied = this.server.get("/status/200");
			assertThat(denied.statusCode()).isEqualTo(429);
			assertThat(denied.headers().map()).doesNotContainKey("Retry-After");
			assertThat(denied.headers().firstValue("RateLimit-Policy")).contains("\"url\";q=1");
			assertThat(denied.headers().firstValue("RateLimit")).contains("\"url\";r=0");
			assertThat(denied.body())
				.contains("Rate limit exceeded: \\\"url\\\" admits 1 at once. "
						+ "Try again when another call has ended.")
				.doesNotContain("retry-after-ms");
		}
		awaitFree();
		assertThat(this.server.get("/status/200").statusCode()).isEqualTo(200);
	}

	private void awaitFree() {
		await().untilAsserted(() -> assertThat(this.server.remaining("url", "")).isEqualTo(1));
	}

}
