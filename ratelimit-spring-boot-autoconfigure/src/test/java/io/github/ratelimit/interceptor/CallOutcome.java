package io.github.ratelimit.interceptor;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Outcome of a call. A thrown exception differs from one signaled later, by a failed
 * stage or an error signal.
 *
 * @param value the value returned in the end
 * @param thrown the exception thrown by the call
 * @param failure the failure signaled later
 */
record CallOutcome(@Nullable Object value, @Nullable Throwable thrown, @Nullable Throwable failure) {

	static CallOutcome of(Callable<?> call) {
		try {
			return awaited(call.call());
		}
		catch (Throwable ex) {
			return new CallOutcome(null, ex, null);
		}
	}

	private static CallOutcome awaited(@Nullable Object result) {
		if (result instanceof CompletionStage<?> stage) {
			CompletableFuture<CallOutcome> outcome = new CompletableFuture<>();
			stage.whenComplete((value, failure) -> outcome.complete(new CallOutcome(value, null, failure)));
			return outcome.orTimeout(60, TimeUnit.SECONDS).join();
		}
		if (result instanceof Publisher<?> publisher) {
			return Flux.from(publisher)
				.collectList()
				.map((values) -> new CallOutcome(alone(values), null, null))
				.onErrorResume((failure) -> Mono.just(new CallOutcome(null, null, failure)))
				.block(Duration.ofSeconds(10));
		}
		return new CallOutcome(result, null, null);
	}

	private static @Nullable Object alone(List<?> values) {
		return switch (values.size()) {
			case 0 -> null;
			case 1 -> values.get(0);
			default -> values;
		};
	}

}
