package io.github.ratelimit.sample.operate;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import io.github.ratelimit.RateLimiterRegistry;
import io.github.ratelimit.sample.ForumTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties;
import org.springframework.boot.test.web.server.LocalManagementPort;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the management port of the sample and the page on it, over HTTP.
 */
@ForumTest
@Timeout(60)
class OperateTests {

	private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();

	@LocalServerPort
	private int port;

	@LocalManagementPort
	private int managementPort;

	@Autowired
	private RateLimiterRegistry registry;

	@Test
	void endpointsAreOnLoopbackAlone(@Autowired ManagementServerProperties management) throws Exception {
		assertThat(management.getAddress().isLoopbackAddress()).isTrue();
		assertThat(this.managementPort).isNotEqualTo(this.port);
		assertThat(get(this.port, "/actuator/ratelimits").statusCode()).isEqualTo(404);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			ratelimits                   | "name":"search"
			ratelimits/search            | ratelimit.rules.search.max
			metrics/ratelimit.decisions  | "name":"ratelimit.decisions"
			prometheus                   | ratelimit_decisions_total{
			health                       | "ratelimit":{"details":{"state":"counting"}
			""")
	void endpointsShowWhatAnOperatorNeeds(String endpoint, String content) throws Exception {
		this.registry.limiter("search").tryAcquire("operator");
		HttpResponse<String> answer = get(this.managementPort, "/actuator/" + endpoint);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.body()).contains(content);
	}

	@Test
	void refusesChangesByPagesOfOtherSites() throws Exception {
		HttpRequest.Builder change = request(this.managementPort, "/actuator/ratelimits/search")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString("{\"max\": 1}"));
		assertThat(send(change.header("Origin", "http://localhost:" + this.port)).statusCode()).isEqualTo(403);
		assertThat(this.registry.limiter("search").rule().limits().get(0).max()).isEqualTo(30);
	}

	@Test
	void forumRedirectsToThePage() throws Exception {
		HttpResponse<String> redirection = get(this.port, "/operate");
		String page = "http://localhost:" + this.managementPort + "/actuator/operate";
		assertThat(redirection.headers().firstValue("Location")).hasValue(page);
		HttpResponse<String> answer = get(this.managementPort, "/actuator/operate");
		assertThat(answer.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
		assertThat(answer.body()).contains("href=\"http://localhost:" + this.port + "/\"");
	}

	@ParameterizedTest
	@CsvSource({ "main.js,text/javascript", "operate.css,text/css", "base.css,text/css", "icon.svg,image/svg+xml" })
	void servesFilesOfThePage(String file, String type) throws Exception {
		HttpResponse<String> answer = get(this.managementPort, "/actuator/operate/" + file);
		assertThat(answer.statusCode()).isEqualTo(200);
		assertThat(answer.headers().firstValue("Content-Type").orElseThrow()).startsWith(type);
	}

	@ParameterizedTest
	@ValueSource(strings = { "none.js", "..%2Fapplication.yml", "application.yml", "index.html" })
	void servesNoOtherFile(String file) throws Exception {
		assertThat(get(this.managementPort, "/actuator/operate/" + file).statusCode()).isIn(400, 404);
	}

	@Test
	void visitorsComeAndLeave(@Autowired Visitors visitors) {
		visitors.come();
		await().until(() -> this.registry.limiter("login").peek("admin").remaining() < 5);
		visitors.leave();
		assertThat(visitors.isActive()).isFalse();
	}

	private HttpResponse<String> get(int port, String path) throws Exception {
		return send(request(port, path).GET());
	}

	private static HttpRequest.Builder request(int port, String path) {
		return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).timeout(Duration.ofSeconds(20));
	}

	private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

}
