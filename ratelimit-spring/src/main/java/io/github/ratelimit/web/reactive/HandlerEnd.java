package io.github.ratelimit.web.reactive;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;

import io.github.ratelimit.interceptor.CallEnd;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.web.server.ServerWebExchange;

/**
 * End of the response of a handler, which ends the calls of handler methods.
 */
final class HandlerEnd {

	private static final String ATTRIBUTE = HandlerEnd.class.getName();

	private @Nullable List<CallEnd> calls;

	private boolean over;

	private @Nullable Throwable failure;

	private HandlerEnd() {
	}

	/**
	 * Return the end of the response of an exchange.
	 */
	static HandlerEnd of(ServerWebExchange exchange) {
		HandlerEnd end = new HandlerEnd();
		exchange.getAttributes().put(ATTRIBUTE, end);
		return end;
	}

	/**
	 * Follow a handler until its response is complete.
	 */
	Mono<Void> follow(Mono<Void> handler) {
		return handler.doOnSuccess((done) -> end(null)).doOnError(this::end).doOnCancel(this::cancel);
	}

	/**
	 * End a call with the response of an exchange.
	 * @return {@code false} if that is not followed or has ended already
	 */
	static boolean add(ServerWebExchange exchange, CallEnd call) {
		return exchange.getAttributes().get(ATTRIBUTE) instanceof HandlerEnd end && end.add(call);
	}

	private synchronized boolean add(CallEnd call) {
		if (this.over) {
			return false;
		}
		this.calls = (this.calls != null) ? this.calls : new ArrayList<>(1);
		this.calls.add(call);
		return true;
	}

	/**
	 * Note a failure of the response, which an exception handler may answer.
	 */
	synchronized void fail(Throwable failure) {
		this.failure = failure;
	}

	void cancel() {
		end(new CancellationException("The client has disconnected"));
	}

	private void end(@Nullable Throwable last) {
		List<CallEnd> following;
		Throwable known;
		synchronized (this) {
			this.over = true;
			following = this.calls;
			this.calls = null;
			known = (last != null) ? last : this.failure;
		}
		if (following != null) {
			following.forEach((call) -> call.endWithResponseAsync(known));
		}
	}

}
