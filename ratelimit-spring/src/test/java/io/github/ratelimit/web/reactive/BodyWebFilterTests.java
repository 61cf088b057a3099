package io.github.ratelimit.web.reactive;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.server.UnsupportedMediaTypeStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Bodies of requests to one path.
 */
class BodyWebFilterTests {

	private boolean isOfServer = true;

	private final BodyWebFilter filter = new BodyWebFilter("/limits", (exchange) -> this.isOfServer,
			(body, isAtPath) -> bytes((isAtPath ? "at " : "below ") + text(body)), 10, bytes("larger"));

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	private static String text(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	private ServerHttpRequest behind(HttpMethod method, String path, String body) {
		AtomicReference<ServerHttpRequest> behind = new AtomicReference<>();
		this.filter
			.filter(MockServerWebExchange.from(MockServerHttpRequest.method(method, URI.create(path)).body(body)),
					(exchange) -> {
						behind.set(exchange.getRequest());
						return Mono.empty();
					})
			.block();
		return behind.get();
	}

	private String bodyBehind(HttpMethod method, String path, String body) {
		StringBuilder read = new StringBuilder();
		behind(method, path, body).getBody()
			.doOnNext((part) -> read.append(part.toString(StandardCharsets.UTF_8)))
			.blockLast();
		return read.toString();
	}

	@ParameterizedTest
	@CsvSource({ "POST, /limits, at body", "POST, /limits/reply, below body", "POST, /limits2, body",
			"POST, /other, body", "PUT, /limits, body", "POST, /%6Cimits, at body",
			"POST, /limits;a=b/reply, below body" })
	void bodyOfAPostToThePathOrBelowIsChanged(String method, String path, String changed) {
		assertThat(bodyBehind(HttpMethod.valueOf(method), path, "body")).isEqualTo(changed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/limits/reply", "/%6Cimits/reply", "/limits;a=b/reply" })
	void formThatBecameADeleteIsRefusedHoweverThePathIsSpelled(String path) {
		MockServerHttpRequest form = MockServerHttpRequest.method(HttpMethod.DELETE, URI.create(path))
			.contentType(MediaType.APPLICATION_FORM_URLENCODED)
			.body("_method=DELETE");
		Mono<Void> answer = this.filter.filter(MockServerWebExchange.from(form), (exchange) -> Mono.empty());
		assertThatExceptionOfType(UnsupportedMediaTypeStatusException.class).isThrownBy(answer::block);
	}

	@Test
	void bodyOfARequestToAnotherServerIsNotChanged() {
		this.isOfServer = false;
		assertThat(bodyBehind(HttpMethod.POST, "/limits", "body")).isEqualTo("body");
	}

	@Test
	void nameWithoutAValueInTheQueryHasAnEmptyOne() {
		assertThat(behind(HttpMethod.POST, "/limits?a&b=&a=c", "body").getQueryParams())
			.isEqualTo(Map.of("a", List.of("", "c"), "b", List.of("")));
	}

	@Test
	void largeBodyIsReplaced() {
		assertThat(bodyBehind(HttpMethod.POST, "/limits", "more than ten")).isEqualTo("larger");
	}

}
