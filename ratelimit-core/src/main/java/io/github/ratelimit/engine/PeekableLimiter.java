package io.github.ratelimit.engine;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimiter;

/**
 * Limiter that can be peeked at for the decision on a call.
 *
 * @since 0.1.0
 */
public interface PeekableLimiter extends RateLimiter {

	/**
	 * Return the decision on a call that takes one unit and does not wait. Nothing
	 * changes, and nothing is reported.
	 */
	Decision peekUnit(String key);

}
