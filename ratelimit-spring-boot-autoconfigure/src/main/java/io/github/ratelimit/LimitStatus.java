package io.github.ratelimit;

import java.time.Duration;

/**
 * Status of one limit after a decision. With 5 per 60 s and nothing used before, the
 * first call leaves {@code remaining = 4}, {@code retryAfter = 0} and
 * {@code resetAfter = 60 s}.
 *
 * @param name the name of the rule, followed by a hyphen and the name of the limit if the
 * rule has several: {@code sms-minute}
 * @param max the number of units per period
 * @param capacity the most units it can hold at once: {@code burst} of a bucket, else
 * {@code max}
 * @param period the time in which {@code max} units are admitted
 * @param remaining the units that can be taken now
 * @param retryAfter {@link Duration#ZERO} if this limit admitted the call, else the time
 * after which it does, {@link Decision#NEVER} if it never can
 * @param resetAfter the time until this limit equals an unused one, if nothing else is
 * taken
 * @since 0.1.0
 */
public record LimitStatus(String name, long max, long capacity, Duration period, long remaining, Duration retryAfter,
		Duration resetAfter) {

	/**
	 * Return whether this limit admitted the call.
	 * @return {@code false} if it is one of {@link Decision#violated()}
	 */
	public boolean admitted() {
		return this.retryAfter.isZero();
	}

}
