package io.github.ratelimit;

import java.time.Duration;

/**
 * Where one limit stands after a decision. With 5 per 60 s and nothing used before, the
 * first call leaves {@code remaining = 4}, {@code retryAfter = 0} and
 * {@code resetAfter = 60 s}.
 *
 * @param name the name of the rule, followed by a hyphen and the limit's own name when
 * the rule has several: {@code sms-minute}
 * @param max how many units per period
 * @param capacity the most it can hold at once: {@code burst} of a bucket, else
 * {@code max}
 * @param period the time in which {@code max} units are admitted
 * @param remaining how many units could be taken now
 * @param retryAfter {@link Duration#ZERO} when this limit let the call pass, the time
 * until it would when it did not, {@link Decision#NEVER} when it never can
 * @param resetAfter the time until this limit is as if unused, if nothing else is taken
 * @since 0.1.0
 */
public record LimitStatus(String name, long max, long capacity, Duration period, long remaining, Duration retryAfter,
		Duration resetAfter) {

	/**
	 * Whether this limit let the call pass.
	 * @return {@code false} if it is one of {@link Decision#violated()}
	 */
	public boolean admitted() {
		return this.retryAfter.isZero();
	}

}
