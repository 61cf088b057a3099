package io.github.ratelimit.web.reactive;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import io.github.ratelimit.interceptor.CallEnd;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.server.ServerWebExchange;

/**
 * End of the response of a handler, which ends the calls of handler methods: the response
 * is made of their results later, whatever the types.
 */
final class HandlerEnd {

	private static final String ATTRIBUTE = HandlerEnd.class.getName();

	private static final String AWAITED = ATTRIBUTE + ".AWAITED";

	private @Nullable List<CallEnd> calls;

	private boolean over;

	private @Nullable Throwable failure;

	private final Map<String, Object> exchange;

	private HandlerEnd(Map<String, Object> exchange) {
		this.exchange = exchange;
	}

	static HandlerEnd of(ServerWebExchange exchange) {
		HandlerEnd end = new HandlerEnd(exchange.getAttributes());
		exchange.getAttributes().put(ATTRIBUTE, end);
		return end;
	}

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

	static void await(ServerWebExchange exchange) {
		exchange.getAttributes().put(AWAITED, true);
	}

	synchronized boolean isAwaited() {
		return this.calls != null || this.exchange.containsKey(AWAITED);
	}

	/** Note a failure of the response, which an exception handler may answer. */
	synchronized void fail(Throwable failure) {
		this.failure = failure;
	}

	void cancel() {
		end(canceled());
	}

	/**
	 * Return the failure of a response that failed although its body did not. Servers
	 * report a lost connection as an I/O failure.
	 */
	private static Throwable failure(Throwable last) {
		return (NestedExceptionUtils.getMostSpecificCause(last) instanceof IOException) ? canceled().initCause(last)
				: last;
	}

	private static CancellationException canceled() {
		return new CancellationException("The client has disconnected");
	}

	private void end(@Nullable Throwable last) {
		List<CallEnd> following;
		Throwable known;
		synchronized (this) {
			this.over = true;
			following = this.calls;
			this.calls = null;
			known = (this.failure != null || last == null) ? this.failure : failure(last);
		}
		if (following != null) {
			following.forEach((call) -> call.endWithResponseAsync(known));
		}
	}

}
