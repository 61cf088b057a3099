package io.github.ratelimit.compatibility.recipes;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

import io.github.ratelimit.compatibility.OnOuterLines;
import io.github.ratelimit.compatibility.Server;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Steps of the production guide, checked.
 */
@ExtendWith(OutputCaptureExtension.class)
@OnOuterLines
class RecipeProductionTests {

	private static final Pattern MEMBER = Pattern.compile("\"[\\w-]+\": ?(\"(\\\\.|[^\"])*\"|\\[.*?]|\\d+)");

	private static final String CALL = "/replies?userId=laoqian";

	private static final List<Integer> FIVE = List.of(200, 200, 200, 200, 200);

	private static final String[] UNREACHABLE_REDIS = { "ratelimit.store=auto", "spring.data.redis.port=1" };

	@AutoClose
	private static Server server;

	@BeforeAll
	static void start() {
		server = start("");
	}

	@Test
	void sixthCallIsDenied() {
		assertThat(server.statuses(5, CALL)).isEqualTo(FIVE);
		HttpResponse<String> sixth = server.post(CALL);
		assertThat(sixth.statusCode()).isEqualTo(429);
		assertThat(sixth.headers().firstValue("Retry-After")).isPresent();
		assertThat(sixth.headers().firstValue("RateLimit-Policy")).hasValue("\"reply\";q=5;w=60");
		assertThat(server.post("/replies?userId=other").statusCode()).isEqualTo(200);
	}

	@Test
	void denialIsTheDocumentedResponse() throws IOException {
		String[] documented = documentedDenial().split("\n\n");
		List<String> headers = documented[0].lines().skip(1).toList();
		String call = "/replies?userId=documented";
		server.statuses(5, call);
		HttpResponse<String> denied = server.post(call);
		assertThat(headers).hasSize(4).allSatisfy((header) -> {
			String[] parts = header.split(": ");
			assertThat(denied.headers().firstValue(parts[0])).map(RecipeProductionTests::withoutTimes)
				.hasValue(withoutTimes(parts[1]));
		});
		assertThat(members(denied.body())).hasSize(7).containsExactlyInAnyOrderElementsOf(members(documented[1]));
	}

	private static String documentedDenial() throws IOException {
		String document = Files.readString(Path.of("..", "..", "docs", "production.md"));
		int from = document.indexOf("```http\n") + "```http\n".length();
		return document.substring(from, document.indexOf("```", from));
	}

	private static List<String> members(String json) {
		return MEMBER.matcher(json)
			.results()
			.map((match) -> withoutTimes(match.group().replaceFirst("\": ", "\":")))
			.toList();
	}

	private static String withoutTimes(String text) {
		return text.replaceAll("\\b[56]\\d(\\d{3})?\\b", "60");
	}

	@Test
	void eachEnvironmentHasItsNumbers() {
		try (Server server = start("production-numbers.yml")) {
			assertThat(server.post(CALL).headers().firstValue("RateLimit-Policy")).hasValue("\"reply\";q=20;w=60");
		}
		try (Server server = start("production-numbers.yml", "spring.profiles.active=staging")) {
			assertThat(server.statuses(3, CALL)).isEqualTo(List.of(200, 200, 429));
		}
	}

	@Test
	void shadowModeReportsAndDeniesNothing(CapturedOutput output) {
		try (Server server = start("production-shadow.yml")) {
			assertThat(server.statuses(6, CALL)).isEqualTo(Collections.nCopies(6, 200));
			assertThat(server.post(CALL).headers().firstValue("RateLimit")).isEmpty();
			assertThat(output).contains("Rule \"reply\" is in shadow mode. Enforced, [reply] would have denied a call.")
				.doesNotContain("laoqian");
		}
	}

	@Test
	void withoutRedisCallsAreCountedInsideTheProcess() {
		try (Server server = start("", UNREACHABLE_REDIS)) {
			assertThat(server.statuses(5, CALL)).isEqualTo(FIVE);
			assertThat(server.post(CALL).statusCode()).isEqualTo(429);
		}
	}

	@Test
	void withoutRedisARuleMayDeny() {
		try (Server server = start("production-failure.yml", UNREACHABLE_REDIS)) {
			HttpResponse<String> refused = server.post(CALL);
			assertThat(refused.statusCode()).isEqualTo(503);
			assertThat(refused.headers().firstValue("Retry-After")).isPresent();
			assertThat(server.post("/feedback").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void behindAProxyClientsAreCountedApart() {
		try (Server server = start("production-proxy.yml")) {
			for (int i = 0; i < 3; i++) {
				assertThat(server.post("/feedback", "X-Forwarded-For", "203.0.113.1").statusCode()).isEqualTo(200);
			}
			assertThat(server.post("/feedback", "X-Forwarded-For", "203.0.113.1").statusCode()).isEqualTo(429);
			assertThat(server.post("/feedback", "X-Forwarded-For", "203.0.113.2").statusCode()).isEqualTo(200);
		}
	}

	@Test
	void forwardedHeadersAreNotTrustedByDefault() {
		for (int i = 0; i < 3; i++) {
			server.post("/feedback", "X-Forwarded-For", "203.0.113." + i);
		}
		assertThat(server.post("/feedback", "X-Forwarded-For", "203.0.113.9").statusCode()).isEqualTo(429);
	}

	@Test
	void switchedOffNothingIsLimited() {
		try (Server server = start("production-disabled.yml")) {
			assertThat(server.statuses(7, CALL)).isEqualTo(Collections.nCopies(7, 200));
		}
	}

	private static Server start(String yaml, String... properties) {
		return RecipeServer.start(Application.class, yaml, properties);
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import({ ReplyController.class, FeedbackController.class })
	static class Application {

	}

}
