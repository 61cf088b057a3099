package io.github.ratelimit;

/**
 * Policy for calls that the store cannot answer.
 *
 * @since 0.1.0
 */
public enum OnStoreFailure {

	/**
	 * The call goes on, uncounted.
	 */
	ALLOW,

	/**
	 * The call fails with a {@link RateLimiterUnavailableException}, over HTTP with 503.
	 */
	DENY,

	/**
	 * The same limits are counted inside this process until the store is back.
	 */
	LOCAL

}
