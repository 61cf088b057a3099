package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Calls of handler methods whose client is slow: they end when their response is
 * complete, or when the client disconnects.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OnOuterLines
abstract class HeldResponseTests {

	private static final int BEGINNING = 8 << 20;

	private final WebApplicationType type;

	private final Class<?> application;

	@AutoClose
	private Server server;

	HeldResponseTests(WebApplicationType type, Class<?> application) {
		this.type = type;
		this.application = application;
	}

	@BeforeAll
	void start() {
		this.server = Server.start(this.type, this.application, "ratelimit.store=local",
				"ratelimit.rules.requested.algorithm=concurrency", "ratelimit.rules.requested.max=10",
				"ratelimit.web.requests[0].path=/**", "ratelimit.web.requests[0].rule=requested");
	}

	@BeforeEach
	void reset() {
		await().untilAsserted(() -> {
			assertThat(this.server.remaining("held", "")).isOne();
			assertThat(this.server.remaining("requested", "")).isEqualTo(10);
		});
		this.server.reset("");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bytes", "/file", "/entity-of-file", "/future-of-file", "/mono-of-file" })
	void callEndsWhenItsResponseIsComplete(String path) {
		endsWithTheResponse(path, 10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bytes", "/file", "/entity-of-file", "/future-of-file", "/mono-of-file" })
	void callEndsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/bytes", "/mono-of-file" })
	void callEndsWithAResponseWithoutItsBody(String path) {
		endsWithoutTheBody(path, HeldResponseApplication.SIZE);
	}

	@Test
	void failedCallEndsWithTheResponseOfItsExceptionHandler() {
		endsWithTheResponse("/failing-file", 9);
	}

	@Test
	void callOfAServiceEndsWhenItReturns() {
		begun("/file-of-service", (response) -> {
			assertThat(this.server.remaining("service", "")).isOne();
			assertThat(this.server.remaining("held", "")).isZero();
		});
	}

	@Test
	void callOfAMethodThatHandlesOtherRequestsEndsWhenItReturns() {
		begun("/file-of-other", (response) -> {
			assertThat(this.server.remaining("other", "")).isOne();
			assertThat(this.server.remaining("held", "")).isZero();
		});
		begun("/other", (response) -> assertThat(this.server.remaining("other", "")).isZero());
	}

	final void endsWithTheResponse(String path, int counted) {
		begun(path, (response) -> {
			isHeld();
			response.readAllBytes();
			isFree(counted, 10);
		});
	}

	final void endsWhenTheClientDisconnects(String path) {
		endsWhenTheClientDisconnects(path, 9);
	}

	final void endsWhenTheClientDisconnects(String path, int canceled) {
		begun(path, (response) -> isHeld());
		isFree(9, canceled);
	}

	final void endsWithoutTheBody(String path, long length) {
		HttpResponse<String> response = this.server.request("HEAD", path);
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().firstValueAsLong("Content-Length").orElse(-1)).isEqualTo(length);
		isFree(10, 10);
	}

	final void endsWithADenial(String path, int counted) {
		HttpResponse<String> response = this.server.request("GET", path);
		assertThat(response.statusCode()).isEqualTo(429);
		assertThat(response.headers().allValues("Content-Type")).containsExactly("application/problem+json");
		assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
		assertThat(response.body()).endsWith("}");
		isFree(counted, 10);
	}

	private void isFree(int counted, int canceled) {
		await().untilAsserted(() -> {
			assertThat(this.server.remaining("held", "")).isOne();
			assertThat(this.server.remaining("requested", "")).isEqualTo(10);
			assertThat(this.server.remaining("counted", "")).isEqualTo(counted);
			assertThat(this.server.remaining("canceled", "")).isEqualTo(canceled);
		});
	}

	private void isHeld() {
		assertThat(this.server.remaining("held", "")).isZero();
		assertThat(this.server.remaining("requested", "")).isEqualTo(9);
		assertThat(this.server.remaining("counted", "")).isEqualTo(9);
	}

	/**
	 * Request a path, and read no more than the beginning of its response: so much that
	 * the server has written more than once.
	 */
	private void begun(String path, Reader reader) {
		try (Socket socket = new Socket("localhost", this.server.port())) {
			socket.setSoTimeout(60_000);
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.UTF_8));
			byte[] beginning = socket.getInputStream().readNBytes(BEGINNING);
			assertThat(new String(beginning, StandardCharsets.ISO_8859_1)).startsWith("HTTP/1.1 ");
			assertThat(beginning).hasSize(BEGINNING);
			reader.read(socket.getInputStream());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private interface Reader {

		void read(InputStream response) throws IOException;

	}

}
