package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Ends of requests and of handler methods, over real HTTP. Each ends once, with the
 * status that the client gets, and refunds its units if its rule has such an expression.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class ResponseEndTests {

	private final WebApplicationType type;

	private final Class<?> application;

	@AutoClose
	private Server server;

	private ResponseEnds ends;

	ResponseEndTests(WebApplicationType type, Class<?> application) {
		this.type = type;
		this.application = application;
	}

	@BeforeAll
	void start() {
		this.server = Server.start(this.type, this.application, "ratelimit.store=local", "ratelimit.rules.url.max=10",
				"ratelimit.rules.url.period=1h", "ratelimit.web.requests[0].path=/**",
				"ratelimit.web.requests[0].rule=url",
				"ratelimit.web.requests[0].unless=@ends.ofRequest(status, path, header('X-Call'))");
		this.ends = this.server.bean(ResponseEnds.class);
	}

	@BeforeEach
	void reset() {
		this.ends.clear();
		this.server.reset("");
	}

	@ParameterizedTest
	@CsvSource({ "/status/200, 200, '<200 OK OK,body,[]>'", "/status/404, 404, '<404 NOT_FOUND Not Found,body,[]>'",
			"/failing, 500, IllegalStateException", "/handled, 409, UnsupportedOperationException", "/mono, 200, later",
			"/failing-mono, 500, IllegalStateException", "/handled-mono, 409, UnsupportedOperationException",
			"/future, 200, later", "/flux, 200, null", "/nowhere, 404, ''" })
	void requestEndsOnceWithItsStatus(String path, int status, String method) {
		endsWith(path, status, method);
	}

	final void endsWith(String path, int status, String method) {
		assertThat(this.server.get(path, "X-Call", "c1").statusCode()).isEqualTo(status);
		await(() -> {
			assertThat(this.ends.requests()).containsExactly(status + " " + path + " c1");
			assertThat(this.ends.methods()).isEqualTo(method.isEmpty() ? List.of() : List.of(method));
			assertThat(this.server.remaining("url", "")).isEqualTo((status < 400) ? 10 : 9);
			assertThat(this.server.remaining("method", "")).isEqualTo(method.endsWith("Exception") ? 9 : 10);
		});
	}

	/**
	 * Disconnect while the response is on its way.
	 */
	final void endsWhenTheClientDisconnects(String path, int status, String... methods) {
		try (Socket socket = new Socket("localhost", this.server.port())) {
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Call: c2\r\n\r\n")
					.getBytes(StandardCharsets.UTF_8));
			if (status == 200) {
				assertThat(socket.getInputStream().read()).isEqualTo('H');
			}
			await(() -> assertThat(this.server.remaining("method", "")).isEqualTo(9));
			assertThat(this.server.remaining("url", "")).isEqualTo(9);
			assertThat(this.ends.requests()).isEmpty();
			assertThat(this.ends.methods()).isEmpty();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		await(() -> {
			assertThat(this.ends.requests()).containsExactly(status + " " + path + " c2");
			assertThat(this.ends.methods()).hasSize(1);
			assertThat(methods).contains(this.ends.methods().get(0));
			assertThat(this.server.remaining("url", "")).isEqualTo((status < 400) ? 10 : 9);
			assertThat(this.server.remaining("method", "")).isEqualTo(9);
		});
	}

	private static void await(Runnable assertion) {
		org.awaitility.Awaitility.await().untilAsserted(assertion::run);
	}

}
