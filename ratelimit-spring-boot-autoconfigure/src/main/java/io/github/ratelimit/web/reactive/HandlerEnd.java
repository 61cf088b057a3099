package io.github.ratelimit.web.reactive;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;

import io.github.ratelimit.interceptor.CallEnd;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * End of the response of a handler, which ends the calls of handler methods whose result
 * is written after they have returned it.
 */
final class HandlerEnd {

	private static final String ATTRIBUTE = HandlerEnd.class.getName();

	private @Nullable List<Consumer<@Nullable Throwable>> calls;

	private boolean over;

	private HandlerEnd() {
	}

	/**
	 * Follow a handler until its response is complete.
	 */
	static Mono<Void> follow(ServerWebExchange exchange, Mono<Void> handler) {
		HandlerEnd end = new HandlerEnd();
		exchange.getAttributes().put(ATTRIBUTE, end);
		return handler.doOnSuccess((done) -> end.end(null))
			.doOnError(end::end)
			.doOnCancel(() -> end.end(disconnected()));
	}

	private static CancellationException disconnected() {
		return new CancellationException("The client has disconnected");
	}

	/**
	 * End a call with the response of an exchange.
	 * @return {@code false} if that is not followed or has ended already
	 */
	static boolean add(ServerWebExchange exchange, CallEnd call) {
		return exchange.getAttributes().get(ATTRIBUTE) instanceof HandlerEnd end
				&& end.add((failure) -> call.endAsync(null, failure), true);
	}

	/**
	 * End a call with the response of an exchange at the latest, even if the server does
	 * not cancel what it writes. A call that has ended before is not affected.
	 */
	static void addLatest(ServerWebExchange exchange, CallEnd call) {
		if (exchange.getAttributes().get(ATTRIBUTE) instanceof HandlerEnd end) {
			end.add((failure) -> call.endAsync(null, (failure != null) ? failure : disconnected()), false);
		}
	}

	private synchronized boolean add(Consumer<@Nullable Throwable> call, boolean first) {
		if (this.over) {
			return false;
		}
		this.calls = (this.calls != null) ? this.calls : new ArrayList<>(1);
		this.calls.add(first ? 0 : this.calls.size(), call);
		return true;
	}

	private void end(@Nullable Throwable failure) {
		List<Consumer<@Nullable Throwable>> following;
		synchronized (this) {
			this.over = true;
			following = this.calls;
			this.calls = null;
		}
		if (following != null) {
			following.forEach((call) -> call.accept(failure));
		}
	}

}
