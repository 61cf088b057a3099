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
	 * Return the address of the caller.
	 * @return the address, empty if a proxy forwards an empty one
	 */
	String ip();

	/**
	 * Return the name of the authenticated user.
	 * @return the name, or {@code null} if nobody is authenticated
	 */
	@Nullable String principal();

	/**
	 * Return the path of the request in the form that rules match: without the context
	 * path, decoded, without path parameters, empty segments, dots and a trailing slash.
	 */
	String path();

	/**
	 * Return the path of the request as the client has sent it.
	 * @return the path, without the context path
	 */
	String sentPath();

	/**
	 * Return a header of the request.
	 * @return its first value, or {@code null} if the request has none
	 */
	@Nullable String header(String name);

	/**
	 * Return a parameter in the query of the URL. The body of the request is not read.
	 * @return its first value, or {@code null} if the request has none
	 */
	@Nullable String param(String name);

	/**
	 * Return a cookie of the request.
	 * @return its first value, or {@code null} if the request has none
	 */
	@Nullable String cookie(String name);

	/**
	 * Return a claim of the authenticated user.
	 * @return its value, or {@code null} if the user has none, or nobody is authenticated
	 */
	@Nullable Object claim(String name);

	/**
	 * Return a variable in the path by which a handler was found.
	 * @return its value, or {@code null} if there is none, or no handler yet
	 */
	@Nullable String pathVariable(String name);

	/**
	 * Return the path of the request as sent, with the context path.
	 * @return the path, {@code null} if it is not known
	 */
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

	/**
	 * Record that a limited method of this request throws a failure to its caller.
	 */
	default void failed(RateLimitException failure) {
	}

}
