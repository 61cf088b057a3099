package io.github.ratelimit.store;

import io.github.ratelimit.algorithm.LimitState;

/**
 * What one limit says to a call; times in microseconds.
 *
 * @param remaining the units left after the decision
 * @param retryAfter 0 if this limit admits the call, {@link LimitState#NEVER} if it never
 * can, else the time until it does
 * @param resetAfter the time until the limit is as if unused
 * @since 0.1.0
 */
public record LimitOutcome(long remaining, long retryAfter, long resetAfter) {

	/**
	 * Whether this limit lets the call pass.
	 * @return {@code true} if it does
	 */
	public boolean admitted() {
		return this.retryAfter == 0;
	}

}
