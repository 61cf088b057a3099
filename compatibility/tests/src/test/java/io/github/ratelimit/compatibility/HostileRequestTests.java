package io.github.ratelimit.compatibility;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

import io.github.ratelimit.annotation.RateLimited;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Input of an attacker appears in no header, body or log line, except as the escaped
 * request path.
 */
@ExtendWith(OutputCaptureExtension.class)
@OnOuterLines
class HostileRequestTests {

	/**
	 * Markup, the end of a header, of a JSON string and of a line, and placeholders of
	 * logs and expressions.
	 */
	private static final List<String> ATTACKS = List.of("%3Cscript%3Ealert(1)", "x%0D%0ASet-Cookie%3A%20stolen%3D1",
			"%22%2C%22admin%22%3A%22true", "x%0A2026-01-01%20ERROR%20forged", "%24%7Bjndi%3Aldap%3Aevil%7D",
			"%23%7BT(java.lang.Runtime)%7D", "%E2%80%AEreversed");

	private static final List<String> DECODED = List.of("<script", "stolen=1", "\",\"admin", "ERROR forged", "${jndi",
			"#{T(", "\u202e");

	@AutoClose
	private static final Servers servers = new Servers();

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void inputIsEscapedInEveryResponse(WebApplicationType type, CapturedOutput output) throws IOException {
		Server server = server(type);
		for (String attack : ATTACKS) {
			for (String path : List.of("/annotated?key=" + attack, "/path/" + attack, "/limited/" + attack)) {
				send(server, path, attack);
				String answer = send(server, path, attack);
				assertThat(answer).as(path).startsWith("HTTP/1.1 429");
				assertThat(answer).doesNotContain(DECODED);
				assertThat(answer.toLowerCase(Locale.ROOT)).doesNotContain("set-cookie:");
			}
		}
		assertThat(output.getAll()).doesNotContain(DECODED);
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void keysAreNeitherAnsweredNorLogged(WebApplicationType type, CapturedOutput output) throws IOException {
		Server server = server(type);
		String secret = "secret-api-key-0815";
		for (String path : List.of("/annotated?key=" + secret, "/limited/header")) {
			for (int i = 0; i < 2; i++) {
				assertThat(send(server, path, secret)).as(path).doesNotContain(secret);
			}
		}
		assertThat(output.getAll()).doesNotContain(secret);
	}

	private static Server server(WebApplicationType type) {
		return servers.get(type, HostileController.class, "ratelimit.store=local", "ratelimit.rules.limited.max=1",
				"ratelimit.rules.limited.period=1h", "ratelimit.web.requests[0].path=/limited/**",
				"ratelimit.web.requests[0].rule=limited", "ratelimit.web.requests[0].key=path + header('X-Api-Key')",
				"logging.level.io.github.ratelimit=trace");
	}

	/**
	 * Uses a bare socket, since client libraries reject such requests.
	 */
	private static String send(Server server, String path, String apiKey) throws IOException {
		try (Socket socket = new Socket("localhost", server.port())) {
			socket.setSoTimeout(60_000);
			socket.getOutputStream()
				.write(("POST " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Api-Key: " + apiKey
						+ "\r\nContent-Length: 0\r\n\r\n")
					.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	@RestController
	static class HostileController {

		@PostMapping("/annotated")
		@RateLimited(name = "annotated", key = "#key", max = 1, period = 3600)
		String annotated(@RequestParam("key") String key) {
			return "";
		}

		@PostMapping("/path/{*key}")
		@RateLimited(name = "path", key = "#key", max = 1, period = 3600)
		String path(@PathVariable("key") String key) {
			return "";
		}

	}

}
