package io.github.ratelimit.web.reactive;

import java.util.Objects;
import java.util.concurrent.CancellationException;

import io.github.ratelimit.interceptor.CallEnd;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.http.ResponseEntity;

/**
 * Reactive body of a response that ends a call if it fails or is canceled. A response
 * whose client disconnects may complete as if nothing had happened, and a body that is
 * never subscribed to ends with the response.
 */
final class FollowedBody {

	private FollowedBody() {
	}

	/**
	 * Follow the body of a result.
	 * @return the result with the followed body, or the result itself if it is no
	 * response with a body that can be followed
	 */
	static @Nullable Object in(@Nullable Object result, CallEnd end) {
		if (result == null || result.getClass() != ResponseEntity.class) {
			return result;
		}
		ResponseEntity<?> response = (ResponseEntity<?>) result;
		Object body = Objects.requireNonNull(response.getBody());
		ReactiveAdapter adapter = Objects
			.requireNonNull(ReactiveAdapterRegistry.getSharedInstance().getAdapter(null, body));
		if (!adapter.getDescriptor().isDeferred()) {
			return result;
		}
		Publisher<Object> published = adapter.toPublisher(body);
		Object followed = adapter
			.fromPublisher(adapter.isMultiValue() ? many(Flux.from(published), end) : one(Mono.from(published), end));
		return ResponseEntity.status(response.getStatusCode()).headers(response.getHeaders()).body(followed);
	}

	private static Flux<Object> many(Flux<Object> body, CallEnd end) {
		return body.doOnError((failure) -> end.endAsync(null, failure)).doOnCancel(() -> cancel(end));
	}

	private static Mono<Object> one(Mono<Object> body, CallEnd end) {
		return body.doOnError((failure) -> end.endAsync(null, failure)).doOnCancel(() -> cancel(end));
	}

	private static void cancel(CallEnd end) {
		end.endAsync(null, new CancellationException("The response has been canceled"));
	}

}
