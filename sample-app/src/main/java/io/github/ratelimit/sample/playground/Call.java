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
 * @param retryAfter the time until a retry if it was denied; -1 means never, -2 that it
 * is unknown because other calls have to end
 * @param used the units in use after this call
 */
record Call(long at, boolean allowed, long delay, long retryAfter, double used) {

	static Call of(Duration at, RateLimitRule rule, Decision decision) {
		return new Call(at.toMillis(), decision.allowed(), decision.delay().toMillis(), retryAfter(decision),
				Reading.of(rule, decision).used());
	}

	private static long retryAfter(Decision decision) {
		if (decision.retryAfter().equals(Decision.NEVER)) {
			return -1;
		}
		boolean isUnknown = !decision.allowed() && decision.retryAfter().isZero();
		return isUnknown ? -2 : decision.retryAfter().toMillis();
	}

}
