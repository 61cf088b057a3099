package io.github.ratelimit.web;

/**
 * Format of the response headers that show the limits of a request.
 *
 * @since 0.1.0
 */
public enum HeaderFormat {

	/**
	 * {@code RateLimit} and {@code RateLimit-Policy} of
	 * draft-ietf-httpapi-ratelimit-headers-11, with every limit.
	 */
	IETF,

	/**
	 * The same, by the number of the draft: it stays when a later form gets a name of its
	 * own.
	 */
	IETF_11,

	/**
	 * {@code X-RateLimit-Limit}, {@code X-RateLimit-Remaining} and
	 * {@code X-RateLimit-Reset} in epoch seconds, of the tightest limit.
	 */
	X_RATELIMIT,

	/** No headers except the {@code Retry-After} of a denied call. */
	NONE

}
