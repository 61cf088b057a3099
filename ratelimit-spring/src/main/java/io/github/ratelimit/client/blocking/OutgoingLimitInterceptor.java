package io.github.ratelimit.client.blocking;

import java.io.IOException;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.client.Answer;
import io.github.ratelimit.client.OutgoingCall;
import io.github.ratelimit.client.OutgoingRuleMatcher;
import io.github.ratelimit.interceptor.OutgoingRequest;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Interceptor that limits requests of {@code RestClient} and {@code RestTemplate}.
 *
 * @since 0.1.0
 */
public record OutgoingLimitInterceptor(OutgoingRuleMatcher rules) implements ClientHttpRequestInterceptor {

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		OutgoingCall call = this.rules.callOf(new OutgoingRequest(request.getMethod().name(), request.getURI(),
				(name) -> request.getHeaders().getFirst(name)));
		if (call == null) {
			return execution.execute(request, body);
		}
		awaitTurn(call);
		ClientHttpResponse response = execution.execute(request, body);
		try {
			call.answered(Answer.of(response.getStatusCode().value(), response.getHeaders().headerSet()),
					Runnable::run);
			return response;
		}
		catch (IOException | RuntimeException ex) {
			response.close();
			throw ex;
		}
	}

	private static void awaitTurn(OutgoingCall call) {
		Decision decision = call.acquire().awaitTurn().decision();
		while (call.awaitBlock(decision)) {
			decision = call.acquire().awaitTurn().decision();
		}
		if (!decision.allowed()) {
			throw new RateLimitExceededException(decision);
		}
	}

}
