package io.github.ratelimit;

/**
 * Policy for calls while the store is unavailable.
 *
 * @since 0.1.0
 */
public enum OnStoreFailure {

	/** The call proceeds without being counted. */
	ALLOW,

	/**
	 * The call fails with a {@link RateLimiterUnavailableException}, over HTTP with 503.
	 */
	DENY,

	/**
	 * The call is counted inside this process, against the same limits, until the store
	 * is available again.
	 */
	LOCAL

}
