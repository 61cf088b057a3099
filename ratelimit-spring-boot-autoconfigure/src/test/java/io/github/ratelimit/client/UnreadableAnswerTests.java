package io.github.ratelimit.client;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.ratelimit.client.blocking.OutgoingLimitInterceptor;
import io.github.ratelimit.client.reactive.OutgoingLimitFilter;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;

/**
 * Answers whose status or header fields cannot be read. They are closed, because the
 * caller never gets them, and their connections would never return to the pool.
 */
class UnreadableAnswerTests {

	private static final URI URL = URI.create("http://localhost/a");

	private final ApplicationContextRunner application = Client.runner()
		.withPropertyValues("ratelimit.rules.api.max=2", "ratelimit.rules.api.period=60",
				"ratelimit.client.requests[0].host=localhost", "ratelimit.client.requests[0].rule=api");

	@Test
	void answerWithoutAStatusIsClosed() throws IOException {
		ClientHttpResponse response = mock();
		given(response.getStatusCode()).willThrow(new IOException("connection reset"));
		this.application.run((context) -> {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> send(context, response))
				.withMessage("connection reset");
			verify(response).close();
		});
	}

	@Test
	void answerWithoutHeaderFieldsIsClosed() throws IOException {
		ClientHttpResponse response = mock();
		given(response.getStatusCode()).willReturn(HttpStatus.OK);
		given(response.getHeaders()).willThrow(new IllegalStateException("malformed"));
		this.application.run((context) -> {
			assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> send(context, response));
			verify(response).close();
		});
	}

	private static ClientHttpResponse send(ApplicationContext context, ClientHttpResponse response) throws IOException {
		return new OutgoingLimitInterceptor(context.getBean(OutgoingRuleMatcher.class))
			.intercept(new MockClientHttpRequest(HttpMethod.GET, URL), new byte[0], (request, body) -> response);
	}

	@Test
	void reactiveAnswerWithoutAStatusIsReleased() {
		AtomicBoolean isReleased = new AtomicBoolean();
		ClientResponse response = mock();
		given(response.statusCode()).willThrow(new IllegalArgumentException("status 42"));
		given(response.releaseBody()).willReturn(Mono.fromRunnable(() -> isReleased.set(true)));
		this.application.run((context) -> {
			Mono<ClientResponse> answer = new OutgoingLimitFilter(context.getBean(OutgoingRuleMatcher.class))
				.filter(ClientRequest.create(HttpMethod.GET, URL).build(), (sent) -> Mono.just(response));
			assertThatExceptionOfType(IllegalArgumentException.class)
				.isThrownBy(() -> answer.block(Duration.ofSeconds(20)))
				.withMessage("status 42");
			assertThat(isReleased).isTrue();
		});
	}

}
