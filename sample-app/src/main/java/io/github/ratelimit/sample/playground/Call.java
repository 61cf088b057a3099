package io.github.ratelimit.sample.playground;

import java.time.Duration;

import io.github.ratelimit.Decision;
import io.github.ratelimit.RateLimitRule;

/**
 * Call and its decision; times are in milliseconds.
 *
 * @param at the time of the visit at which it was sent
 * @param allowed whether it was admitted
 * @param delay the wait until it may proceed
 * @param retryAfter the time until a retry if it was denied; -1 means never
 * @param used the units in use after this call
 */
record Call(long at, boolean allowed, long delay, long retryAfter, double used) {

	static Call of(Duration at, RateLimitRule rule, Decision decision) {
		long retryAfter = decision.retryAfter().equals(Decision.NEVER) ? -1 : decision.retryAfter().toMillis();
		return new Call(at.toMillis(), decision.allowed(), decision.delay().toMillis(), retryAfter,
				Reading.of(rule, decision).used());
	}

}
