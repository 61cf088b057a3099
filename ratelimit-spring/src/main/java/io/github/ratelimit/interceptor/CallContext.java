package io.github.ratelimit.interceptor;

import org.jspecify.annotations.Nullable;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitException;
import io.github.ratelimit.engine.DecidedCall;

/**
 * Web request of a call. A value that it cannot provide is an
 * {@link IllegalStateException} with the reason.
 *
 * @since 0.1.0
 */
public interface CallContext {

	/**
	 * Read a part of the request.
	 * @param name which header, parameter, cookie, claim or path variable, ignored for
	 * other parts
	 * @return its value, {@code null} if the request has none
	 */
	@Nullable Object read(RequestPart part, String name);

	/** Return the path of the request as sent, with the context path. */
	default @Nullable String targetPath() {
		return null;
	}

	/**
	 * Record a decision, whose limits the response headers show. Any thread may do this
	 * at any time; a decision that comes after the response is committed is not shown.
	 */
	void decided(Decision decision);

	/**
	 * Wait for the turn of a call of this request, on its thread. A request that ends
	 * meanwhile may give up.
	 * @return the call, whose turn it is
	 * @throws RuntimeException if the call does not take place; its units are refunded
	 */
	default DecidedCall awaitTurn(DecidedCall decided) {
		return decided.awaitTurn();
	}

	/** Record that a limited method of this request throws a failure to its caller. */
	default void failed(RateLimitException failure) {
	}

}
