package io.github.ratelimit.client.reactive;

import java.util.concurrent.CompletableFuture;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitExceededException;
import io.github.ratelimit.client.Answer;
import io.github.ratelimit.client.OutgoingCall;
import io.github.ratelimit.client.OutgoingRuleMatcher;
import io.github.ratelimit.engine.DecidedCall;
import io.github.ratelimit.interceptor.OutgoingRequest;
import io.github.ratelimit.interceptor.ReactiveTurn;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Filter that limits requests of {@code WebClient}, each subscription anew, and blocks no
 * thread.
 *
 * @since 0.1.0
 */
public record OutgoingLimitFilter(OutgoingRuleMatcher rules) implements ExchangeFilterFunction {

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return Mono.defer(() -> {
			OutgoingCall call = this.rules.callOf(new OutgoingRequest(request.method().name(), request.url(),
					(name) -> request.headers().getFirst(name)));
			return (call == null) ? next.exchange(request) : turnOf(call).then(Mono.defer(() -> next.exchange(request)))
				.flatMap((response) -> observe(call, response));
		});
	}

	private static Mono<Decision> turnOf(OutgoingCall call) {
		return ReactiveTurn.of(call::acquireAsync, false).map(DecidedCall::decision).flatMap((decision) -> {
			CompletableFuture<Void> end = call.awaitBlockAsync(decision);
			if (end != null) {
				return Mono.fromFuture(end).publishOn(Schedulers.parallel()).then(Mono.defer(() -> turnOf(call)));
			}
			return decision.allowed() ? Mono.just(decision) : Mono.error(new RateLimitExceededException(decision));
		});
	}

	private static Mono<ClientResponse> observe(OutgoingCall call, ClientResponse response) {
		try {
			call.answered(Answer.of(response.statusCode().value(), response.headers().asHttpHeaders().headerSet()),
					Schedulers.boundedElastic()::schedule);
			return Mono.just(response);
		}
		catch (RuntimeException ex) {
			return response.releaseBody().then(Mono.error(ex));
		}
	}

}
